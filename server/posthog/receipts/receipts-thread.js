/**
 * The entry point of the receipts' thread. It is JavaScript and turns on Node's compile cache, as server/main.js does: a thread would
 * otherwise load Node's TypeScript compiler, and take 40 MB instead of 14.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/server'));
await import('./answer-calls.ts');
