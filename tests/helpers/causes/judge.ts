/**
 * Judges a rule on an invented site, day after day. A mail is right while the planted cause lasts,
 * and two days longer. Each other mail is false, unless it says that something is over.
 */
import { isDeepStrictEqual } from 'node:util';
import { makeTable, type Table } from '../../../server/report/causes/counts.ts';
import type { Look } from '../../../server/report/causes/look-at.ts';
import type { Told } from '../../../server/report/causes/told.ts';
import { inventSite } from './invented-site.ts';
import { type CauseName, causeOf } from './planted-causes.ts';

/** Days that are not judged, because a rule needs a history. */
export const WARM_UP = 63;
const GRACE_DAYS = 2;
/** After a lasting cause has ended, a mail that a slice has risen is right for so long. */
const RECOVERY_DAYS = 21;

type Fact = Pick<Look['changes'][number], 'slice' | 'measure' | 'now' | 'usual'>;
/**
 * Looks at a day.
 *
 * @returns the facts of its mail; null: no mail. The old rule has mails without a fact
 */
export type Rule = (
  table: Table,
  day: number,
  told: readonly Told[],
) => {
  facts: readonly Fact[] | null;
  told: Told[];
};

export interface Verdict {
  isFound: boolean;
  /** The first mail's first fact is the planted cause. */
  isRight: boolean;
  /** Days from the cause's begin to its first mail; 1: mailed on the next morning. */
  delay: number;
  /** Mails about the cause after the first one. */
  repeats: number;
  /** Mails outside of the cause. */
  falseMails: number;
  days: number;
}

export function makeCase(name: CauseName, clicksADay: number, seed: number) {
  const { rows, ...site } = inventSite(name, clicksADay, seed);
  return { name, clicksADay, seed, ...site, table: makeTable(rows) };
}
export type Case = ReturnType<typeof makeCase>;

/** @param explain called with each mail that is not the first right one, to look at it */
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
  let told: Told[] = [];
  for (let day = WARM_UP; day < table.days.length; day++) {
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
