/**
 * Deletes old data, by the rules of deletion-rules.ts. The totals of deleted clicks stay in
 * `click_counts`.
 */
import type { Logger } from 'pino';
import type { ClockWatch } from './clicks/watch-clock.ts';
import { judgeDeletion, NO_DELETION_AFTER_START_MS } from './deletion-rules.ts';
import { listOldData, type OldData, type OldDataParts } from './old-data.ts';
import { type Clock, DAY_MS } from './time.ts';

interface RetentionOptions extends OldDataParts {
  log: Pick<Logger, 'info' | 'warn'>;
  now?: Clock | undefined;
  /** Milliseconds since the start, by a clock that does not follow the machine's date. */
  uptime?: Clock | undefined;
  clock?: Pick<ClockWatch, 'warning'> | undefined;
}

/**
 * A deletion that has begun: of data older than `before`, with the number of deleted rows so far.
 */
interface ApprovedDeletion {
  data: OldData;
  before: number;
  deleted: number;
}

/**
 * Creates a function that decides whether a kind of data may be deleted now (deletion-rules.ts),
 * and logs announcements and warnings for the operator. It returns null if nothing may be deleted.
 */
function createApproval(log: RetentionOptions['log'], now: Clock, uptime: Clock) {
  /**
   * The announced deletions by the name of their data, with the time `before` which data was to be
   * deleted.
   */
  const announced = new Map<string, { at: number; before: number }>();
  /** When the last warning about held data was logged, by the name of the data. */
  const warnedAt = new Map<string, number>();

  const warn = (text: string) =>
    log.warn(`${text} This machine's clock says ${new Date(now()).toISOString()}.`);
  /** Warns about held data, at most once a day. */
  const warnOfHold = (name: string) => {
    const last = warnedAt.get(name);
    if (last !== undefined && uptime() - last < DAY_MS) return;
    warnedAt.set(name, uptime());
    warn(
      `Kept until a person runs "site retention --yes", because nothing newer has come: ${name}.`,
    );
  };

  return async (data: OldData): Promise<ApprovedDeletion | null> => {
    const { name } = data;
    const before = data.before(now());
    const part = await data.measure(before);
    const announcement = announced.get(name);
    const verdict = judgeDeletion(part, announcement ? uptime() - announcement.at : null);
    if (verdict === 'wait') return null;
    if (verdict === 'announce') {
      announced.set(name, { at: uptime(), before });
      warn(`In a day, ${part.old} or more are deleted, over a tenth of all: ${name}.`);
      return null;
    }
    announced.delete(name);
    if (verdict === 'hold') warnOfHold(name);
    if (verdict !== 'delete') return null;
    warnedAt.delete(name);
    // Deletes no more than was announced, because the clock may have been changed since then.
    const isAnnounced = part.isLargePart && announcement !== undefined;
    return {
      data,
      before: isAnnounced ? Math.min(before, announcement.before) : before,
      deleted: 0,
    };
  };
}

export function createRetention(parts: RetentionOptions) {
  const { log, clock, now = Date.now, uptime = () => performance.now() } = parts;
  const startedAt = uptime();
  const all = listOldData(parts);
  const approve = createApproval(log, now, uptime);
  /** Index of the next kind of data in the list, and the deletion under way. */
  let nextIndex = 0;
  let current: ApprovedDeletion | null = null;

  /**
   * Finds the next data that may be deleted. The index moves on before the data is measured, so
   * that an error in one table does not block the tables before it.
   */
  const approveNext = async (): Promise<ApprovedDeletion | null> => {
    for (const data of all.slice(nextIndex)) {
      nextIndex += 1;
      const approved = await approve(data);
      if (approved) return approved;
    }
    nextIndex = 0;
    return null;
  };
  /** Deletes a slice. Returns whether the deletion is finished. */
  const deleteNextSlice = async (approved: ApprovedDeletion): Promise<boolean> => {
    const { data, before } = approved;
    const { count, isLast } = await data.deleteSlice(before, now());
    approved.deleted += count;
    if (!isLast) return false;
    if (approved.deleted > 0) {
      log.info(`Deleted ${data.name}: ${approved.deleted}`);
      await data.finish?.();
    }
    return true;
  };

  return {
    /**
     * Deletes one slice of old data.
     *
     * @returns whether there may be more to delete
     * @throws (rejects with) the error of the database or the folder. The next call begins again
     * with the first kind of data
     */
    async deleteSlice(): Promise<boolean> {
      if (uptime() - startedAt < NO_DELETION_AFTER_START_MS || clock?.warning()) return false;
      try {
        current ??= await approveNext();
        if (!current) return false;
        if (await deleteNextSlice(current)) current = null;
        return true;
      } catch (cause) {
        nextIndex = 0;
        current = null;
        throw cause;
      }
    },
  };
}
