/** Deletes clicks and rejected bodies by age, at the start and every hour, because the ledger is rotated after midnight. */
import type { Logger } from 'pino';
import type { ServerClock } from '../../clock/server-clock.ts';
import type { Config } from '../../config.ts';
import type { Recorder } from '../record-clicks.ts';
import type { RejectedBodies } from '../rejected-bodies.ts';
import { createClickRetention } from './click-retention.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

interface Parts {
  config: Config;
  clock: ServerClock;
  recorder: Recorder;
  rejectedBodies: RejectedBodies;
  log: Pick<Logger, 'error' | 'info' | 'warn'>;
}

/** `stop` waits for a deletion under way. */
export function startClickRetention(parts: Parts): { stop(): Promise<void> } {
  const { config, clock, recorder, rejectedBodies, log } = parts;
  const { clickRetentionDays, rejectedRetentionDays, files } = config;
  if (clickRetentionDays === 0 && rejectedRetentionDays === 0) return { stop: async () => {} };
  const retainClicks = createClickRetention({
    ledger: files.ledger,
    notes: files.deletedClicks,
    days: clickRetentionDays,
    recorder,
    log,
  });
  const purge = async () => {
    try {
      const now = await clock.now();
      if (now === null) return;
      if (clickRetentionDays > 0) await retainClicks(now);
      if (rejectedRetentionDays === 0) return;
      const removed = await rejectedBodies.removeBefore(now - rejectedRetentionDays * DAY_MS);
      if (removed > 0)
        log.info(`Removed ${removed} rejected bodies older than ${rejectedRetentionDays} days`);
    } catch (err) {
      log.error({ err }, 'Old clicks or rejected bodies could not be removed');
    }
  };
  let running = purge();
  const timer = setInterval(() => {
    running = running.then(purge);
  }, HOUR_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
