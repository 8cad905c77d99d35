/** Sends the outbox to PostHog: the oldest events first, one request at a time, from one server at a time. */
import type { Logger } from 'pino';
import type { Backlog, Database } from '../database/database.ts';
import { repeat } from '../process/repeat.ts';
import { MINUTE_MS, SECOND_MS } from '../time.ts';
import { type CompleteEvent, type DueRow, makeEvent } from './complete-event.ts';
import { readDue, readState, type Settled, settle } from './outbox.ts';
import { postBatch, type Verdicts } from './post-batch.ts';

/** Milliseconds, except `batch`. */
const PACE = {
  batch: 100,
  /** Rest while there is nothing to send, or another server sends. */
  idle: 1_000,
  /** The pause after a failure, which doubles with every further one. */
  firstPause: SECOND_MS,
  longestPause: MINUTE_MS,
  /** The delay of an event that PostHog asks for again, which doubles too. */
  firstDelay: 30 * SECOND_MS,
  longestDelay: 10 * MINUTE_MS,
  /** How long a stopping server waits for the request under way. */
  lastMs: 1_000,
};
export type Pace = typeof PACE;

interface Parts {
  db: Database;
  /** Origin of PostHog's ingestion. */
  host: string;
  key: string;
  log: Pick<Logger, 'warn' | 'info'>;
  pace?: Partial<Pace> | undefined;
  onSettled?: ((settled: Settled) => void) | undefined;
}

/** `fault`: why this server's last attempt failed; null: it did not, or another server sends. */
export type PosthogState = Backlog & { fault: string | null };

export function startSender({ db, host, key, log, pace: changes, onSettled }: Parts) {
  const pace = { ...PACE, ...changes };
  let size = pace.batch;

  /** @returns milliseconds until the next batch */
  const sendBatch = async (cut: AbortSignal): Promise<number> => {
    if (!(await db.holds('posthog'))) return pace.idle;
    const rows = await readDue(db, Date.now(), size);
    if (rows.length === 0) return pace.idle;
    const made = rows.map((row) => ({ ...row, event: makeEvent(row) }));
    const events = made.flatMap(({ event }) => (typeof event === 'object' ? [event] : []));
    const answer = await postBatch(host, key, events, cut);
    if ('badBatch' in answer && rows.length > 1) {
      // One event is at fault. Smaller batches find it.
      size = Math.ceil(rows.length / 2);
      return 0;
    }
    const verdicts = 'badBatch' in answer ? refuseAll(events, answer.badBatch) : answer.verdicts;
    if (isNothingStored(events, verdicts)) throw new Error('PostHog stored none of the events');
    size = Math.min(pace.batch, size * 2);
    const settled = judge(made, verdicts, pace);
    await db.transaction(settle, settled);
    const [[uuid, reason] = []] = settled.refused;
    if (uuid)
      log.warn(`PostHog refuses ${settled.refused.length} events, such as ${uuid} (${reason})`);
    onSettled?.(settled);
    return 0;
  };
  const { reason, stop } = repeat(sendBatch, {
    ...pace,
    onFailure: (fault) => log.warn(`PostHog gets no events: ${fault}`),
    onEnd: () => log.info('PostHog gets events again'),
  });
  return {
    /** Rejects with the database's error. */
    state: async (): Promise<PosthogState> => ({ ...(await readState(db)), fault: reason() }),
    /** Ends the sender after the request under way. The database must be open until then. */
    stop,
  };
}

const refuseAll = (events: CompleteEvent[], details: string): Verdicts =>
  Object.fromEntries(events.map(({ uuid }) => [uuid, { result: 'drop', details }]));

/** Then no single event is at fault. A single event that PostHog asks for again may be. */
function isNothingStored(events: CompleteEvent[], verdicts: Verdicts): boolean {
  const results = events.map(({ uuid }) => verdicts[uuid]?.result);
  if (results.length === 1) return results[0] === undefined;
  return results.length > 0 && results.every((result) => (result ?? 'retry') === 'retry');
}

/** `limited` is an older name of `warning`. All of them are stored. */
const STORED = ['ok', 'warning', 'limited'];

type MadeRow = Pick<DueRow, 'uuid' | 'attempts'> & { event: ReturnType<typeof makeEvent> };

function judge(made: MadeRow[], verdicts: Verdicts, { firstDelay, longestDelay }: Pace): Settled {
  const settled: Settled = { done: [], later: [], refused: [] };
  for (const { uuid, attempts, event } of made) {
    const { result = 'retry', details = null } = verdicts[uuid] ?? {};
    const dueAt = Date.now() + Math.min(firstDelay * 2 ** attempts, longestDelay);
    if (event === 'withdrawn' || STORED.includes(result)) settled.done.push([uuid]);
    else if (result === 'retry') settled.later.push([uuid, dueAt]);
    // A verdict that this server does not know is final too, but it proves nothing.
    else settled.refused.push([uuid, details ?? result]);
  }
  return settled;
}
