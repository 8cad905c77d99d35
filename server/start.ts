/** Reads the settings and starts the server. Listens for SIGHUP before it loads the rest. */
import type { Config } from './config.ts';
import { listenForHangUp } from './process/hang-up.ts';

const onHangUp = listenForHangUp();

const end = () => void process.kill(process.pid, 'SIGTERM');

let config: Config | undefined;
try {
  const { readConfig } = await import('./config.ts');
  config = readConfig(process.env);
  if (process.argv.includes('--check-config')) {
    await check(config);
    // A library may still wait for a service that does not answer.
    process.exit(0);
  }
  await start(config);
} catch (error) {
  const { explainError } = await import('./explain-error.ts');
  const text = config ? explainError(error as Error, config) : (error as Error).message;
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

async function start(config: Config): Promise<void> {
  // npm sets the variable for the programs that it starts.
  if (process.env.npm_lifecycle_event !== undefined) {
    const { endWithParent } = await import('./process/end-with-parent.ts');
    endWithParent(end);
  }
  // `npm run dev` opens a channel to this process.
  if (process.connected) process.once('disconnect', end);
  const { serve } = await import('./serve.ts');
  const log = await serve(config, onHangUp);
  const { describeUnknown } = await import('./unknown-variables.ts');
  for (const text of describeUnknown(process.env)) log.warn(text);
}

/** @throws an Error that names each fault */
async function check(config: Config): Promise<void> {
  const { checkConfig } = await import('./check-config.ts');
  const { describeUnknown } = await import('./unknown-variables.ts');
  const say = (text: string) => void process.stdout.write(`${text}\n`);
  for (const text of describeUnknown(process.env)) say(text);
  await checkConfig(config, say);
  say('The settings are valid.');
}
