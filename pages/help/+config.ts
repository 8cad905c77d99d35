import type { Config } from 'vike/types';

/**
 * The help pages' script is the landing page's. As a file of its own it would share a chunk with
 * that one, which both pages would load in a second round.
 */
export default {
  client: 'import:../index/+client.ts:default',
} satisfies Config;
