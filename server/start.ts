/** Reads the settings and starts the server. Listens for SIGHUP before it loads the rest. */
import { listenForHangUp } from './process/hang-up.ts';

const onHangUp = listenForHangUp();

try {
  const { readConfig } = await import('./config.ts');
  const { serve } = await import('./serve.ts');
  await serve(readConfig(process.env), onHangUp);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
