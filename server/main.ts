/**
 * The process. What was compiled is kept for the next start, which halves the time to the first answer; that is why
 * the rest is imported only afterwards.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/server'));

try {
  const { readConfig } = await import('./config.ts');
  const { serve } = await import('./serve.ts');
  await serve(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
