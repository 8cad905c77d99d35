/** English words of facts: amounts, dates, names of slices. */
import { type CauseDimension, keyOf, type Slice } from './combination.ts';

/** Returns the words for a value of a dimension, such as the name of a link. */
export type NameOf = (dimension: CauseDimension, value: string) => string;

const WORDS: Partial<Record<CauseDimension, Record<string, string>>> = {
  device: { small: 'Phones', medium: 'Tablets', large: 'Computers' },
  language: { en: 'English pages', es: 'Spanish pages' },
  class: {
    direct: 'Visits without a referring page',
    search: 'Search engines',
    social: 'Social networks',
    partner: 'The partner',
    other: 'Other sites',
  },
};

/** Words for values without the names that the team gave to links. */
export const plainNames: NameOf = (dimension, value) => {
  const prefix = { campaign: 'Campaign ', cta: 'Button ' }[dimension as string] ?? '';
  return WORDS[dimension]?.[value] ?? `${prefix}${value}`;
};

/** Returns a slice in words: `Spanish pages, Phones`, or `The site`. */
export const nameOfSlice = (slice: Slice, nameOf: NameOf): string =>
  keyOf(slice) === ''
    ? 'The site'
    : (Object.entries(slice) as [CauseDimension, string][])
        .map(([name, value]) => nameOf(name, value))
        .join(', ');

/** Writes a number as 1,234 or 3.5: with one decimal place below 10. */
export const number = (n: number): string =>
  n.toLocaleString('en-US', { maximumFractionDigits: n < 10 ? 1 : 0 });
/** Writes clicks per 100 visits, with one decimal place below 20. */
export const perHundred = (n: number): string =>
  n.toLocaleString('en-US', { maximumFractionDigits: n < 20 ? 1 : 0 });
/** Writes a number and a noun: `1 visit`, `2 visits`. @param word the singular */
export const plural = (n: number, word: string): string =>
  `${number(n)} ${word}${number(n) === '1' ? '' : 's'}`;

/** Writes a date as `Oct 6`. @param day 2026-10-06 */
export const shortDate = (day: string): string =>
  Temporal.PlainDate.from(day).toLocaleString('en-US', { month: 'short', day: 'numeric' });
/** Writes a date as `Tuesday, October 6`. @param day 2026-10-06 */
export const longDate = (day: string): string =>
  Temporal.PlainDate.from(day).toLocaleString('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  });

/** Makes the first letter lower-case, for a sentence after a colon. */
export const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
