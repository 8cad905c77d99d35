/** Writes facts as English sentences, each with the address of its rows in the report. */
import type { Note } from '../figures/notes.ts';
import type { Change } from './change.ts';
import type { Slice } from './combination.ts';
import { dayAfter } from './counts.ts';
import type { FarLink } from './far-below.ts';
import type { Hole } from './find-hole.ts';
import {
  longDate,
  type NameOf,
  nameOfSlice,
  number,
  perHundred,
  plural,
  shortDate,
} from './words.ts';

export interface Sentence {
  text: string;
  /** Parameters of the report's address: `device=small&from=2026-11-10&to=2026-11-27`. */
  address: string;
}

/** Usual visits a day below which a sentence says "almost none" instead of a number. */
const ALMOST_NONE = 0.5;

/** Makes the parameters of the report's address for a slice and its days. */
export const addressOf = (slice: Slice, from: string, to: string): string =>
  new URLSearchParams({ ...slice, from, to }).toString();

/**
 * Days after a change's first day up to which a note may name its cause. The first day is estimated
 * from counts and may be wrong by a few days; a later note cannot be the cause.
 */
const LATEST_NOTE_DAYS = 3;

/**
 * Writes the notes that may name the cause of a change: those of the day before it, and of its
 * first days.
 *
 * @returns one sentence for each note, each after a space; empty: no note
 */
export function notesOf(notes: readonly Note[], since: string, until: string): string {
  const [first, last] = [dayAfter(since, -1), dayAfter(since, LATEST_NOTE_DAYS)];
  const relevantNotes = notes.filter(({ day }) => day >= first && day <= last && day <= until);
  return relevantNotes
    .map(({ day, note }) => ` Your note of ${shortDate(day)}: “${note}”.`)
    .join('');
}

/** Writes a change: `Phones: 3.2 clicks per 100 visits since Oct 6, were 9.`, and notes. */
export function changeSentence(change: Change, notes: readonly Note[], nameOf: NameOf): Sentence {
  const { slice, since, until } = change;
  return {
    text: `${nameOfSlice(slice, nameOf)}: ${amountInWords(change)}.${notesOf(notes, since, until)}`,
    address: addressOf(slice, since, until),
  };
}

function amountInWords(change: Change): string {
  const { measure, now, usual, counts, since, until } = change;
  const when = whenInWords(change);
  if (measure === 'rate' && counts.clicks > counts.visits)
    return `${plural(counts.clicks, 'click')} from only ${plural(counts.visits, 'visit')} ${when}`;
  if (measure === 'rate')
    return `${perHundred(now)} clicks per 100 visits ${when}, were ${perHundred(usual)}`;
  const visitsInWords = number(now) === '0' ? 'no visit' : plural(now, 'visit');
  const daily = since === until || number(now) === '0' ? '' : ' a day';
  return `${visitsInWords}${daily} ${when}, usually ${usual < ALMOST_NONE ? 'almost none' : number(usual)}`;
}

function whenInWords({ since, until, isOpen }: Change): string {
  if (since === until) return `on ${longDate(since)}`;
  return isOpen ? `since ${shortDate(since)}` : `from ${shortDate(since)} to ${shortDate(until)}`;
}

/** Writes a change of the rate in other words than `changeSentence`, for a place near it. */
export function rateMovedBy(change: Change, nameOf: NameOf): string {
  const { slice, counts, usual, now } = change;
  const moved =
    counts.clicks > counts.visits
      ? 'with more clicks than visits'
      : `from ${perHundred(usual)} to ${perHundred(now)}`;
  return `What moved the rate: ${nameOfSlice(slice, nameOf)} ${whenInWords(change)}, ${moved}.`;
}

/** Writes the rate of a link in other words than `farBelowSentence`. */
export function rateLoweredBy({ ref, visits, rated, expected }: FarLink, nameOf: NameOf): string {
  const [own, others] = [rated, expected].map((clicks) => perHundred((100 * clicks) / visits));
  return `What lowers the rate: ${nameOf('ref', ref)}, with ${own} where others have ${others}.`;
}

/**
 * Writes that a change has ended.
 *
 * @param change here `until` is the first day after the change
 */
export function overSentence(change: Change, nameOf: NameOf): Sentence {
  const { slice, measure, usual, since, until } = change;
  const level =
    measure === 'rate'
      ? `${perHundred(usual)} clicks per 100 visits`
      : `${plural(usual, 'visit')} a day`;
  return {
    text: `${nameOfSlice(slice, nameOf)}: as before again since ${shortDate(until)} (${level}).`,
    address: addressOf(slice, since, until),
  };
}

/** Writes that a link is far below the others, with both click rates. */
export function farBelowSentence(
  { ref, visits, rated, expected }: FarLink,
  [from, to]: [string, string],
  nameOf: NameOf,
): Sentence {
  const own = perHundred((100 * rated) / visits);
  const others = perHundred((100 * expected) / visits);
  return {
    text: `${nameOf('ref', ref)}: ${plural(visits, 'visit')}, ${plural(rated, 'click')}, far below the other links (${own} per 100 visits, others ${others}).`,
    address: addressOf({ ref }, from, to),
  };
}

/** Writes since when, and for how many hours, no visit has come. */
export function holeSentence({ since, hours, expected }: Hole): Sentence {
  const [day = '', hour] = since.split('T');
  const usual = plural(Math.round(expected), 'visit');
  return {
    text: `No visit for ${plural(hours, 'hour')}, since ${shortDate(day)}, ${hour}:00; ${usual} are usual in this time.`,
    address: addressOf({}, day, lastDayOf({ since, hours })),
  };
}

/** Returns the day of a hole's last hour: 2026-01-31. */
export const lastDayOf = ({ since, hours }: Pick<Hole, 'since' | 'hours'>): string =>
  String(
    Temporal.PlainDateTime.from(`${since}:00`)
      .add({ hours: hours - 1 })
      .toPlainDate(),
  );

/**
 * Returns what the team should do first about a change. The advice depends only on what changed,
 * because the engine knows no reason outside the site.
 */
export function adviceFor({ slice, measure, now, usual }: Change): string {
  if (measure === 'visits' && now > usual)
    return 'If nobody on the team knows why, look whether these visits press, too.';
  if (measure === 'visits')
    return Object.keys(slice).length === 0
      ? 'Open the site from outside, then look at /healthz. A holiday does the same to all links alike.'
      : 'Open this link or campaign yourself: does it still lead to the page?';
  if (now > usual) return 'If there are more clicks than visits, a program may have made them.';
  if (slice.device === 'small') return 'Open the page on a phone and press each button.';
  if (slice.language) return 'Open the page in this language and press each button.';
  if (slice.cta) return 'Press this button. Has it moved, or does something cover it?';
  return 'Press each button of the page. Then look at /healthz.';
}
