/** Everything below DATA_DIR, opened in the order in which one part rests on another. */
import { mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Logger } from 'pino';
import { catchUp } from './clicks/catch-up.ts';
import { openLedger } from './clicks/ledger.ts';
import { lockLedger } from './clicks/lock-ledger.ts';
import { openQuarantine } from './clicks/quarantine.ts';
import { createRecorder } from './clicks/record-clicks.ts';
import type { Config } from './config.ts';
import { openStore } from './store/open-store.ts';

/**
 * Locks the ledger, closes its torn end, and brings the store up to it.
 *
 * @param mirror gets each group of the ledger's lines once they are on the disk
 * @throws an Error that says what to do, when another process writes the ledger
 */
export async function openData(config: Config, log: Logger, mirror: (text: Buffer) => void) {
  const { files } = config;
  mkdirSync(config.dataDir, { recursive: true });
  const unlock = lockLedger(files.lock, files.ledger);
  const quarantine = openQuarantine(files.quarantine, config.quarantineBytes, (err) =>
    log.warn({ err }, 'A refused body could not be written'),
  );
  const store = openStore(pathToFileURL(files.store), (movedTo) =>
    log.warn(`${files.store} was damaged: it is now ${movedTo}, and is made anew from the ledger`),
  );
  const ledger = openLedger(files.ledger, (tail) => quarantine.add(tornLine(tail)));
  const refillStore = async () => {
    const { added, unreadable } = await catchUp(store, files.ledger, ledger.position());
    if (added > 0) log.info(`Took ${added} clicks from the ledger into the store`);
    if (unreadable > 0) log.warn(`${unreadable} lines of the ledger are no clicks`);
  };
  await refillStore();
  const recorder = createRecorder({ store, ledger, log, refillStore, mirror });
  return {
    store,
    quarantine,
    recorder,
    /** Waits for what is on its way to the disk. */
    async close() {
      await recorder.drain();
      await quarantine.drain();
      for (const part of [store, ledger]) await part.close();
      unlock();
    },
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
