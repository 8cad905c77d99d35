/** Sends the outbox to PostHog: the oldest events first, one request at a time. */
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import { type DueRow, makeEventOfRow, type PosthogEvent } from './make-event.ts';
import { readDue, type SettledBatch, settleBatch } from './outbox.ts';
import type { postBatch, Verdicts } from './post-batch.ts';

const MAX_BATCH = 100;
/** The delay of an event that PostHog asks for again. It doubles with each attempt. */
const DELAYS = { firstMs: 30 * SECOND_MS, longestMs: 10 * MINUTE_MS };
/** An event that has been put off for so many days is refused. */
const RETRY_DAYS = 7;
/**
 * An event that is refused for its age has had so many attempts. PostHog may have been away during
 * the days after the first one. Ten attempts take an hour.
 */
const MIN_ATTEMPTS = 10;
/** At most one line in this time says that events are put off. */
const WARN_EVERY_MS = 10 * MINUTE_MS;

interface SenderOptions {
  db: Database;
  /** Posts a batch to the project. */
  post: (events: readonly PosthogEvent[], signal: AbortSignal) => ReturnType<typeof postBatch>;
  log: Pick<Logger, 'warn'>;
  onSettled?: ((settled: SettledBatch) => void) | undefined;
  now?: Clock | undefined;
  delays?: typeof DELAYS | undefined;
  maxBatch?: number | undefined;
}

export function createSender(parts: SenderOptions) {
  const { db, post, log, onSettled, now = Date.now } = parts;
  const { delays = DELAYS, maxBatch = MAX_BATCH } = parts;
  let batchSize = maxBatch;
  let loggedAt = Number.NEGATIVE_INFINITY;

  const logPutOff = ({ postponed }: SettledBatch, judged: JudgedRow[]) => {
    const example = judged.find(({ uuid }) => uuid === postponed[0]?.[0]);
    if (!example || now() - loggedAt < WARN_EVERY_MS) return;
    loggedAt = now();
    const { uuid, reason } = example;
    log.warn(`Events are put off: ${postponed.length}, such as ${uuid} (${reason})`);
  };

  return {
    /**
     * Sends the oldest events that are due, and stores what became of each.
     *
     * @returns whether there may be more events
     * @throws (rejects with) an Error for operators, if PostHog takes nothing
     */
    async sendBatch(signal: AbortSignal): Promise<boolean> {
      const rows = await readDue(db, now(), batchSize);
      if (rows.length === 0) return false;
      const made = rows.map((row) => ({ ...row, event: makeEventOfRow(row) }));
      const events = made.flatMap(({ event }) => (typeof event === 'object' ? [event] : []));
      const answer = await post(events, signal);
      if ('badBatch' in answer && rows.length > 1) {
        // One event fails its whole batch. Smaller batches find it.
        batchSize = Math.ceil(rows.length / 2);
        return true;
      }
      const verdicts = 'badBatch' in answer ? refuseAll(events, answer.badBatch) : answer.verdicts;
      if (isNothingStored(events, verdicts)) throw new Error('PostHog stored none of the events');
      batchSize = Math.min(maxBatch, batchSize * 2);
      const judged = made.map((one) => ({ ...one, ...judgeEvent(one, verdicts) }));
      const settled = sortByVerdict(judged, now(), delays);
      await db.transaction(settleBatch, settled);
      logRefused(settled, log);
      logPutOff(settled, judged);
      onSettled?.(settled);
      return true;
    },
  };
}

function logRefused({ refused }: SettledBatch, log: SenderOptions['log']): void {
  const [[uuid, reason] = []] = refused;
  if (uuid) log.warn(`PostHog refuses ${refused.length} events, such as ${uuid} (${reason})`);
}

const refuseAll = (events: PosthogEvent[], details: string): Verdicts =>
  Object.fromEntries(events.map(({ uuid }) => [uuid, { result: 'drop', details }]));

/**
 * Whether the batch failed as a whole, so that no event of it counts an attempt. A single event
 * that PostHog asks for again has failed by itself.
 */
function isNothingStored(events: PosthogEvent[], verdicts: Verdicts): boolean {
  const results = events.map(({ uuid }) => verdicts[uuid]?.result);
  if (results.length === 1) return results[0] === undefined;
  return results.length > 0 && results.every((result) => (result ?? 'retry') === 'retry');
}

/** `limited` is an older name of `warning`. PostHog stored the event in each case. */
const STORED = ['ok', 'warning', 'limited'];

type MadeRow = Pick<DueRow, 'uuid' | 'attempts' | 'retry_since'> & {
  event: ReturnType<typeof makeEventOfRow>;
};
type JudgedRow = MadeRow & ReturnType<typeof judgeEvent>;

/** What becomes of an event, and why. */
function judgeEvent({ uuid, event }: MadeRow, verdicts: Verdicts) {
  if (event === 'withdrawn') return { result: 'ok', reason: event };
  // Only a newer server can make the event, for example while servers are replaced.
  if (event === 'unknown')
    return { result: 'retry', reason: 'this server does not know the button' };
  const { result = 'retry', details } = verdicts[uuid] ?? {};
  return { result, reason: details ?? (result === 'retry' ? 'no reason given' : result) };
}

function sortByVerdict(
  judged: JudgedRow[],
  now: number,
  { firstMs, longestMs }: typeof DELAYS,
): SettledBatch {
  const settled: SettledBatch = { removed: [], postponed: [], refused: [] };
  for (const { uuid, attempts, retry_since: since, result, reason } of judged) {
    const delay = Math.min(firstMs * 2 ** attempts, longestMs);
    const isTooLong = now - (since ?? now) >= RETRY_DAYS * DAY_MS && attempts + 1 >= MIN_ATTEMPTS;
    if (STORED.includes(result)) settled.removed.push([uuid]);
    // A verdict that this server does not know is final too.
    else if (result !== 'retry') settled.refused.push([uuid, reason]);
    else if (isTooLong) settled.refused.push([uuid, `retry for ${RETRY_DAYS} days: ${reason}`]);
    else settled.postponed.push([uuid, now + delay, now]);
  }
  return settled;
}
