/**
 * The entry point. It first turns on Node's compile cache, which halves the time to the first answer, and then imports the
 * rest.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { listenForHangUp } from './process/hang-up.ts';

const onHangUp = listenForHangUp();

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/server'));

try {
  const { readConfig } = await import('./config.ts');
  const { serve } = await import('./serve.ts');
  await serve(readConfig(process.env), onHangUp);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
