/** Reads the settings and starts the server. The only argument, if there is one, is the folder of the build: `dist`. */
import { resolve } from 'node:path';
import type { Settings } from './settings.ts';

const distDir = resolve(process.argv[2] ?? 'dist');

let settings: Settings | undefined;
try {
  const { readSettings } = await import('./settings.ts');
  settings = readSettings(process.env);
  await start(settings);
} catch (error) {
  const { explainError } = await import('./explain-error.ts');
  const text = settings ? explainError(error as Error, settings) : (error as Error).message;
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

async function start(settings: Settings): Promise<void> {
  // `npm run dev` opens a channel to this process.
  if (process.connected) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  const { serve } = await import('./serve.ts');
  const log = await serve(settings, distDir);
  const { describeUnknown } = await import('./unknown-variables.ts');
  const { VARIABLES } = await import('./settings.ts');
  for (const text of describeUnknown(process.env, VARIABLES)) log.warn(text);
}
