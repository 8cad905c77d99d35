/** Reads the settings and starts the server. The only argument, if there is one, is the folder of the build: `dist`. */
import { resolve } from 'node:path';
import type { Settings } from './settings.ts';

const CHECK = '--check-config';
const args = process.argv.slice(2);
const distDir = resolve(args.find((arg) => arg !== CHECK) ?? 'dist');

let settings: Settings | undefined;
try {
  const { readSettings } = await import('./settings.ts');
  settings = readSettings(process.env);
  if (args.includes(CHECK)) {
    await check(settings);
    // A library may still wait for a service that does not answer.
    process.exit(0);
  }
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
  for (const text of await findUnknown()) log.warn(text);
}

/** @throws an Error that names each fault */
async function check(settings: Settings): Promise<void> {
  const { checkConfig } = await import('./check-config.ts');
  const say = (text: string) => void process.stdout.write(`${text}\n`);
  for (const text of await findUnknown()) say(text);
  await checkConfig(settings, distDir, say);
  say('The settings are valid.');
}

async function findUnknown(): Promise<string[]> {
  const { describeUnknown } = await import('./unknown-variables.ts');
  const { VARIABLES } = await import('./settings.ts');
  return describeUnknown(process.env, VARIABLES);
}
