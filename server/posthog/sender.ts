/** Sends the outbox to PostHog in batches: the oldest events first, one request at a time. */
import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '../time.ts';
import { type DueRow, makeEventOfRow, type PosthogEvent } from './make-event.ts';
import { readDue, type SettledBatch, settleBatch } from './outbox.ts';
import type { postBatch, Verdicts } from './post-batch.ts';

/** Upper bound for the events of a batch. */
const MAX_BATCH = 100;
/** The back-off of an event that PostHog asks to retry. The delay doubles with each attempt. */
const BACK_OFF = { firstMs: 30 * SECOND_MS, longestMs: 10 * MINUTE_MS };
/** Days after which an event that PostHog does not take is refused. */
const RETRY_DAYS = 7;
/**
 * Lower bound for the attempts before an event is refused for its age. Days since the first attempt
 * prove nothing by themselves, because PostHog may have been unreachable. Ten attempts take an
 * hour.
 */
const MIN_ATTEMPTS = 10;
/** Upper bound for the log lines about postponed events: one in this time. */
const WARN_EVERY_MS = 10 * MINUTE_MS;

interface SenderOptions {
  db: Database;
  /** Sends a batch to PostHog's project. */
  post: (events: readonly PosthogEvent[], signal: AbortSignal) => ReturnType<typeof postBatch>;
  log: Pick<Logger, 'warn'>;
  /** Called with the outcome of each batch, for the metrics. */
  onSettled?: ((settled: SettledBatch) => void) | undefined;
  now?: Clock | undefined;
  delays?: typeof BACK_OFF | undefined;
  maxBatch?: number | undefined;
}

/**
 * Creates the sender. Its batch size halves while PostHog refuses whole batches, and doubles
 * afterwards.
 */
export function createSender(parts: SenderOptions) {
  const { db, post, log, onSettled, now = Date.now } = parts;
  const { delays = BACK_OFF, maxBatch = MAX_BATCH } = parts;
  let batchSize = maxBatch;
  let loggedAt = Number.NEGATIVE_INFINITY;

  const logPostponed = ({ postponed }: SettledBatch, judged: JudgedRow[]) => {
    const example = judged.find(({ uuid }) => uuid === postponed[0]?.[0]);
    if (!example || now() - loggedAt < WARN_EVERY_MS) return;
    loggedAt = now();
    const { uuid, reason } = example;
    log.warn(`Events are put off: ${postponed.length}, such as ${uuid} (${reason})`);
  };

  return {
    /**
     * Sends one batch of the oldest events that are due, and stores the outcome of each event.
     *
     * @param signal aborts the request
     * @returns whether more events may be due
     * @throws (rejects with) an Error for operators if PostHog takes nothing
     */
    async sendBatch(signal: AbortSignal): Promise<boolean> {
      const rows = await readDue(db, now(), batchSize);
      if (rows.length === 0) return false;
      const rowsWithEvents = rows.map((row) => ({ ...row, event: makeEventOfRow(row) }));
      const events = rowsWithEvents.flatMap(({ event }) =>
        typeof event === 'object' ? [event] : [],
      );
      const answer = await post(events, signal);
      if ('badBatch' in answer && rows.length > 1) {
        // One faulty event makes PostHog refuse its whole batch. Halving the batch isolates it.
        batchSize = Math.ceil(rows.length / 2);
        return true;
      }
      const verdicts = 'badBatch' in answer ? refuseAll(events, answer.badBatch) : answer.verdicts;
      if (hasWholeBatchFailed(events, verdicts))
        throw new Error('PostHog stored none of the events');
      batchSize = Math.min(maxBatch, batchSize * 2);
      const judged = rowsWithEvents.map((one) => ({ ...one, ...judgeEvent(one, verdicts) }));
      const settled = sortByVerdict(judged, now(), delays);
      await db.transaction(settleBatch, settled);
      logRefused(settled, log);
      logPostponed(settled, judged);
      onSettled?.(settled);
      return true;
    },
  };
}

/** Logs the number of refused events, with an example. */
function logRefused({ refused }: SettledBatch, log: SenderOptions['log']): void {
  const [[uuid, reason] = []] = refused;
  if (uuid) log.warn(`PostHog refuses ${refused.length} events, such as ${uuid} (${reason})`);
}

/** Makes verdicts that refuse all events of a batch. It is used for a batch of one event. */
const refuseAll = (events: PosthogEvent[], details: string): Verdicts =>
  Object.fromEntries(events.map(({ uuid }) => [uuid, { result: 'drop', details }]));

/**
 * Whether the whole batch failed, so that no event of it counts an attempt. If PostHog asks to
 * retry a batch of one event, that event itself has failed.
 */
function hasWholeBatchFailed(events: PosthogEvent[], verdicts: Verdicts): boolean {
  const results = events.map(({ uuid }) => verdicts[uuid]?.result);
  if (results.length === 1) return results[0] === undefined;
  return results.length > 0 && results.every((result) => (result ?? 'retry') === 'retry');
}

/** Verdicts after which PostHog has stored the event. `limited` is an older name of `warning`. */
const STORED_VERDICTS = ['ok', 'warning', 'limited'];

type RowWithEvent = Pick<DueRow, 'uuid' | 'attempts' | 'retry_since'> & {
  event: ReturnType<typeof makeEventOfRow>;
};
type JudgedRow = RowWithEvent & ReturnType<typeof judgeEvent>;

/** Returns the verdict on an event, and the reason. */
function judgeEvent({ uuid, event }: RowWithEvent, verdicts: Verdicts) {
  if (event === 'withdrawn') return { result: 'ok', reason: event };
  // Only a newer server knows the button, for example during a deployment.
  if (event === 'unknown')
    return { result: 'retry', reason: 'this server does not know the button' };
  const { result = 'retry', details } = verdicts[uuid] ?? {};
  return { result, reason: details ?? (result === 'retry' ? 'no reason given' : result) };
}

/** Decides what happens to each event of a batch. @param now milliseconds since 1970 */
function sortByVerdict(
  judged: JudgedRow[],
  now: number,
  { firstMs, longestMs }: typeof BACK_OFF,
): SettledBatch {
  const settled: SettledBatch = { removed: [], postponed: [], refused: [] };
  for (const { uuid, attempts, retry_since: since, result, reason } of judged) {
    const delay = Math.min(firstMs * 2 ** attempts, longestMs);
    const isTooLong = now - (since ?? now) >= RETRY_DAYS * DAY_MS && attempts + 1 >= MIN_ATTEMPTS;
    if (STORED_VERDICTS.includes(result)) settled.removed.push([uuid]);
    // Unknown verdicts are final too.
    else if (result !== 'retry') settled.refused.push([uuid, reason]);
    else if (isTooLong) settled.refused.push([uuid, `retry for ${RETRY_DAYS} days: ${reason}`]);
    else settled.postponed.push([uuid, now + delay, now]);
  }
  return settled;
}
