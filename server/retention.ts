/**
 * Deletes what is too old, by the rules of deletion-rules.ts. The totals of deleted clicks stay in
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
  /** The time since the start, by a clock that does not follow the machine's date. */
  uptime?: Clock | undefined;
  clock?: Pick<ClockWatch, 'warning'> | undefined;
}

/** What is deleted in this run. */
interface ApprovedDeletion {
  data: OldData;
  before: number;
  deleted: number;
}

/**
 * Makes a function that decides whether what is too old may be deleted now (deletion-rules.ts), and
 * tells the operator what is announced or kept. Its answer null means: delete nothing of this data.
 */
function createApproval(log: RetentionOptions['log'], now: Clock, uptime: Clock) {
  /** Announced deletions, by the name of the data. */
  const announced = new Map<string, { at: number; before: number }>();
  /** When a warning of data that is kept was logged, by the name of the data. */
  const warnedAt = new Map<string, number>();

  const warn = (text: string) =>
    log.warn(`${text} This machine's clock says ${new Date(now()).toISOString()}.`);
  /** Warns once a day. */
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
    const first = announced.get(name);
    const verdict = judgeDeletion(part, first ? uptime() - first.at : null);
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
    // No more than was announced: the clock may have been set meanwhile.
    const isAnnounced = part.isLargePart && first !== undefined;
    return { data, before: isAnnounced ? Math.min(before, first.before) : before, deleted: 0 };
  };
}

export function createRetention(parts: RetentionOptions) {
  const { log, clock, now = Date.now, uptime = () => performance.now() } = parts;
  const startedAt = uptime();
  const all = listOldData(parts);
  const approve = createApproval(log, now, uptime);
  /** The next data of the list, and the deletion under way. */
  let nextIndex = 0;
  let current: ApprovedDeletion | null = null;

  /** Also deletes from the tables before one that cannot be read. */
  const approveNext = async (): Promise<ApprovedDeletion | null> => {
    for (const data of all.slice(nextIndex)) {
      nextIndex += 1;
      const approved = await approve(data);
      if (approved) return approved;
    }
    nextIndex = 0;
    return null;
  };
  const deleteFrom = async (approved: ApprovedDeletion): Promise<boolean> => {
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
     * Deletes a slice of the old data.
     *
     * @returns whether there may be more to delete
     * @throws (rejects with) the error of the database or the folder. The next call starts again at
     * the first table
     */
    async deleteSlice(): Promise<boolean> {
      if (uptime() - startedAt < NO_DELETION_AFTER_START_MS || clock?.warning()) return false;
      try {
        current ??= await approveNext();
        if (!current) return false;
        if (await deleteFrom(current)) current = null;
        return true;
      } catch (cause) {
        nextIndex = 0;
        current = null;
        throw cause;
      }
    },
  };
}
