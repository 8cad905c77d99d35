/** The process: settings, store, ledger, app, listening, and a graceful end. Nothing else touches `process`. */
import { mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import closeWithGrace from 'close-with-grace';
import { type Logger, pino } from 'pino';
import { buildApp } from './app.ts';
import { readBuiltSite } from './built-site.ts';
import { catchUp } from './clicks/catch-up.ts';
import { openLedger } from './clicks/ledger.ts';
import { lockLedger } from './clicks/lock-ledger.ts';
import { openQuarantine } from './clicks/quarantine.ts';
import { createRecorder } from './clicks/record-clicks.ts';
import { type Config, readConfig } from './config.ts';
import { openOutput } from './standard-output.ts';
import { openStore } from './store/open-store.ts';
import { openRegistrations } from './store/registrations.ts';

/** Requests under way get this long; then their connections are cut. */
const LAST_ANSWERS_MS = 1000;
const LAST_LINES_MS = 300;
const EXIT_MS = 1900;

try {
  await serve(readConfig(process.env));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}

async function serve(config: Config): Promise<void> {
  const site = readBuiltSite(config.distDir);
  const output = openOutput(1);
  const log = pino({ level: config.logLevel }, output);
  mkdirSync(config.dataDir, { recursive: true });
  const unlock = lockLedger(config.files.lock, config.files.ledger);
  const parts = { site, log, ...(await openData(config, log, (text) => output.write(text))) };
  const app = await buildApp(config, parts);
  process.on('SIGHUP', () => {
    parts.recorder.reopen().then(
      () => log.info(`Reopened ${config.files.ledger}`),
      (err) =>
        log.error({ err }, `Cannot reopen ${config.files.ledger}; writing on in the old file`),
    );
  });
  closeWithGrace({ delay: EXIT_MS, skip: ['SIGHUP'], logger: log }, async ({ err, signal }) => {
    if (err) log.fatal({ err }, 'Stopping after an error nobody expected');
    else log.info(`Stopping (${signal})`);
    const cut = setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS);
    await app.close();
    clearTimeout(cut);
    await parts.recorder.drain();
    await parts.quarantine.drain();
    for (const part of [parts.store, parts.ledger, parts.registrations]) part.close();
    unlock();
    await output.end(LAST_LINES_MS);
  });
  const address = await app.listen({ host: config.host, port: config.port });
  log.debug(`Data in ${config.dataDir}, at ${address}`);
}

/** Opens everything below DATA_DIR and brings the store up to the ledger's end. */
async function openData(config: Config, log: Logger, mirror: (text: Buffer) => void) {
  const { files } = config;
  const warn = (message: string) => (err: unknown) => log.warn({ err }, message);
  const quarantine = openQuarantine(
    files.quarantine,
    config.quarantineBytes,
    warn('A refused body could not be written'),
  );
  const store = openStore(pathToFileURL(files.store), (movedTo) =>
    log.warn(`${files.store} was damaged: it is now ${movedTo}, and is made anew from the ledger`),
  );
  const ledger = openLedger(files.ledger, (tail) => quarantine.add(tornLine(tail)));
  const { added, unreadable } = await catchUp(store, files.ledger, ledger.position());
  if (added > 0) log.info(`Took ${added} clicks from the ledger into the store`);
  if (unreadable > 0) log.warn(`${unreadable} lines of the ledger are no clicks`);
  const recorder = createRecorder({ store, ledger, log, mirror });
  return {
    store,
    ledger,
    quarantine,
    recorder,
    registrations: openRegistrations(files.registrations),
  };
}

/** Half a line from a crash: it was never acknowledged, but it is not thrown away unseen. */
function tornLine(tail: string) {
  return {
    reason: 'torn_line',
    body: tail,
    contentType: null,
    remote_ip: null,
    received_at: new Date().toISOString(),
  };
}
