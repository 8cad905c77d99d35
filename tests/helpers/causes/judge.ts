/**
 * Judges an alert rule on an invented site, day by day. A mail counts as about the planted cause
 * until two days after its end. Other mails are false, except those about a recovery.
 */
import { isDeepStrictEqual } from 'node:util';
import { makeTable, type Table } from '../../../server/report/causes/counts.ts';
import type { Look } from '../../../server/report/causes/look-at.ts';
import type { MailedChange } from '../../../server/report/causes/mailed-changes.ts';
import { inventSite } from './invented-site.ts';
import { type CauseName, causeOf } from './planted-causes.ts';

/** The first days, which are not judged, because a rule needs a history. */
export const WARM_UP_DAYS = 63;
/** A mail still counts as about the cause so many days after its end. */
const GRACE_DAYS = 2;
/** So many days after the end of a lasting cause, a mail about a rise counts as a recovery. */
const RECOVERY_DAYS = 21;

type Fact = Pick<Look['changes'][number], 'slice' | 'measure' | 'now' | 'usual'>;
/**
 * A rule that decides, for one day, whether to mail an alert.
 *
 * @param told the facts of earlier mails
 * @returns `facts`: those of the mail; null: no mail. The old rule has mails without a fact
 */
export type Rule = (
  table: Table,
  day: number,
  told: readonly MailedChange[],
) => {
  facts: readonly Fact[] | null;
  told: MailedChange[];
};

export interface Verdict {
  /** Whether a mail came while the cause lasted. */
  isFound: boolean;
  /** Whether the first fact of the first mail is the planted cause. */
  isRight: boolean;
  /** Days from the start of the cause to the first mail; 1: the mail came on the next morning. */
  delay: number;
  /** Mails about the cause after the first one. */
  repeats: number;
  /** Number of mails that are about no planted cause. */
  falseMails: number;
  /** Number of days that were judged. */
  days: number;
}

/** Generates a site with a planted cause, and its table for the rules. */
export function makeCase(name: CauseName, clicksADay: number, seed: number) {
  const { rows, ...site } = inventSite(name, clicksADay, seed);
  return { name, clicksADay, seed, ...site, table: makeTable(rows) };
}
export type Case = ReturnType<typeof makeCase>;

/**
 * Runs a rule on all days of a site, and compares its mails with the planted cause.
 *
 * @param explain called with each mail but the first right one, to print it
 */
export function judge(
  site: Case,
  rule: Rule,
  explain: (
    kind: 'false' | 'wrong' | 'again',
    day: number,
    facts: readonly Fact[],
  ) => void = () => {},
): Verdict {
  const { table } = site;
  const verdict = { isFound: false, isRight: false, delay: 0, repeats: 0, falseMails: 0, days: 0 };
  let told: MailedChange[] = [];
  for (let day = WARM_UP_DAYS; day < table.days.length; day++) {
    const look = rule(table, day, told);
    told = look.told;
    verdict.days++;
    const { facts } = look;
    if (facts === null || isRecovery(site, day, facts)) continue;
    if (!isDuring(site, day)) {
      verdict.falseMails++;
      explain('false', day, facts);
    } else if (verdict.isFound) {
      verdict.repeats++;
      explain('again', day, facts);
    } else {
      verdict.isFound = true;
      verdict.isRight = isRight(site, facts);
      verdict.delay = day - site.onset + 1;
      if (!verdict.isRight) explain('wrong', day, facts);
    }
  }
  return verdict;
}

function isDuring({ name, table, onset, end }: Case, day: number): boolean {
  const { truths, isMonthly } = causeOf(name);
  if (truths.length === 0) return false;
  if (isMonthly) return [0, 1, 2].some((days) => table.days[day - days]?.endsWith('-01'));
  return day >= onset && day < end + GRACE_DAYS;
}

const isRecovery = ({ name, end }: Case, day: number, facts: readonly Fact[]): boolean =>
  causeOf(name).days > RECOVERY_DAYS &&
  day >= end &&
  day < end + RECOVERY_DAYS &&
  facts.every(({ now, usual }) => now > usual);

function isRight({ name }: Case, [fact]: readonly Fact[]): boolean {
  if (!fact) return false;
  const { slice, measure, now, usual } = fact;
  const found = { slice, measure, isFall: now < usual };
  return causeOf(name).truths.some((truth) => isDeepStrictEqual(truth, found));
}
