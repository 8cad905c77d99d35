/** Sends the outbox to PostHog: the oldest events first, one request at a time, from one server at a time. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { countFailures } from '../process/failures.ts';
import { eventsOf, judgeBatch } from './judge-batch.ts';
import { makeEvent } from './make-event.ts';
import { type OutboxState, readDue, readState, type Settled, settle } from './outbox.ts';
import { postBatch } from './post-batch.ts';

/** Milliseconds, except `batch`. */
const PACE = {
  batch: 100,
  /** Rest while there is nothing to send, or another server sends. */
  idle: 1_000,
  /** The pause after a failure, which doubles with every further one. */
  firstPause: 1_000,
  longestPause: 60_000,
  /** The delay of an event that PostHog asks for again, which doubles too. */
  firstDelay: 30_000,
  longestDelay: 10 * 60_000,
  /** How long a stopping server waits for the request under way. */
  lastRequest: 1_000,
};
export type Pace = typeof PACE;

interface Parts {
  db: Database;
  /** Origin of PostHog's ingestion. */
  host: string;
  /** The project's public key. */
  key: string;
  log: Pick<Logger, 'warn' | 'info'>;
  pace?: Partial<Pace> | undefined;
  /** Called with PostHog's verdicts, for the metrics. */
  onSettled?: ((settled: Settled) => void) | undefined;
}

export interface PosthogState extends OutboxState {
  /** Why this server's last attempt failed; null: it did not, or another server sends. */
  fault: string | null;
}

export interface Sender {
  /** Rejects with the database's error. */
  state(): Promise<PosthogState>;
  /** Ends the sender after the request under way. The database must be open until then. */
  stop(): Promise<void>;
}

export function startSender({ db, host, key, log, pace: changes, onSettled }: Parts): Sender {
  const pace = { ...PACE, ...changes };
  const stopping = new AbortController();
  const cut = new AbortController();
  const failures = countFailures({
    ...pace,
    onFailure: (reason) => log.warn(`PostHog gets no events: ${reason}`),
    onEnd: () => log.info('PostHog gets events again'),
  });
  let size = pace.batch;

  /** @returns milliseconds until the next batch */
  const sendBatch = async (): Promise<number> => {
    if (!(await db.holds('posthog'))) return pace.idle;
    const rows = await readDue(db, Date.now(), size);
    if (rows.length === 0) {
      failures.end();
      return pace.idle;
    }
    const batch = rows.map((row) => ({ row, event: makeEvent(row) }));
    const answer = await postBatch({ host, key }, eventsOf(batch), cut.signal);
    const judged = judgeBatch(batch, answer, pace, Date.now());
    if (judged.kind === 'away') return failures.add(judged.reason, judged.retryAfterMs);
    failures.end();
    size = judged.kind === 'halve' ? Math.ceil(rows.length / 2) : Math.min(pace.batch, size * 2);
    if (judged.kind === 'settled') {
      await db.transaction(settle, judged.settled);
      reportRefused(judged.settled, log);
      onSettled?.(judged.settled);
    }
    return 0;
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const pause = await sendBatch().catch((cause: Error) => failures.add(cause.message));
      await wait(pause, null, { signal: stopping.signal }).catch(() => {});
    }
  };
  const running = run();
  return {
    state: async () => ({ ...(await readState(db)), fault: failures.reason() }),
    async stop() {
      stopping.abort();
      const timer = setTimeout(() => cut.abort(), pace.lastRequest);
      await running;
      clearTimeout(timer);
    },
  };
}

function reportRefused({ refused: [first, ...more] }: Settled, log: Parts['log']): void {
  if (!first) return;
  const others = more.length > 0 ? `, and ${more.length} more` : '';
  log.warn(`PostHog refuses the event ${first.uuid} (${first.reason})${others}`);
}
