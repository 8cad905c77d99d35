/** English words of facts: amounts, dates, names of slices. */
import { type Dimension, keyOf, type Slice } from './combination.ts';

/** The words of a value. The report has the names of links. */
export type NameOf = (dimension: Dimension, value: string) => string;

const WORDS: Partial<Record<Dimension, Record<string, string>>> = {
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

export const plainNames: NameOf = (dimension, value) => {
  const prefix = { campaign: 'Campaign ', cta: 'Button ' }[dimension as string] ?? '';
  return WORDS[dimension]?.[value] ?? `${prefix}${value}`;
};

export const nameOfSlice = (slice: Slice, nameOf: NameOf): string =>
  keyOf(slice) === ''
    ? 'The site'
    : (Object.entries(slice) as [Dimension, string][])
        .map(([name, value]) => nameOf(name, value))
        .join(', ');

/** 1,234 or 3.5: one decimal place below 10. */
export const number = (n: number): string =>
  n.toLocaleString('en-US', { maximumFractionDigits: n < 10 ? 1 : 0 });
/** Clicks per 100 visits: one decimal place below 20. */
export const perHundred = (n: number): string =>
  n.toLocaleString('en-US', { maximumFractionDigits: n < 20 ? 1 : 0 });
export const plural = (n: number, word: string): string =>
  `${number(n)} ${word}${number(n) === '1' ? '' : 's'}`;

/** @returns "Oct 6" */
export const shortDate = (day: string): string =>
  Temporal.PlainDate.from(day).toLocaleString('en-US', { month: 'short', day: 'numeric' });
/** @returns "Tuesday, October 6" */
export const longDate = (day: string): string =>
  Temporal.PlainDate.from(day).toLocaleString('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  });
