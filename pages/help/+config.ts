import type { Config } from 'vike/types';

/**
 * Gives help pages the landing page's client script. With an entry of their own, the build would
 * move the common modules into a third chunk, for which every page would wait one more round trip.
 */
export default {
  client: 'import:../index/+client.ts:default',
} satisfies Config;
