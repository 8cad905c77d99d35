/** Writes the report's numbers: commas from 1,000 on, a real minus, and "–" for too few visits. */
import type { Counts } from './figures.ts';
import type { Report } from './report.ts';

/** With fewer visits the report shows no click rate, because chance decides it. */
export const LEAST_VISITS_OF_RATE = 30;
/** From fewer clicks, a change is written as a difference: a percentage would look like a trend. */
const LEAST_CLICKS_OF_PERCENTAGE = 20;

/** Stands for a figure that is not known or has too few visits. */
export const NOTHING = '–';

/** Writes a whole number: `1,234`, `−5`. */
export const whole = (n: number): string => n.toLocaleString('en-US').replace('-', '−');

/** Writes a number for narrow cells: `1.8K`. @param exactBelow smaller numbers are not rounded */
export const brief = (n: number, exactBelow: number): string =>
  n < exactBelow
    ? whole(n)
    : n.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: n < 1e5 ? 2 : 3 });

/** Adds a plus to a positive number: `+5`. @param text the number as it is written: `−5%` */
export const signed = (n: number, text = whole(n)): string => (n > 0 ? `+${text}` : text);

/** Returns clicks per 100 visits. Null: too few visits. */
export const rateOf = ({ visits, rated }: Counts): number | null =>
  visits < LEAST_VISITS_OF_RATE ? null : (100 * rated) / visits;

/** Writes clicks per 100 visits with one decimal. */
export const rate = (counts: Counts): string => rateOf(counts)?.toFixed(1) ?? NOTHING;

/** Writes the difference of two click rates in percentage points, with one decimal. */
function changeOfRate(now: Counts, before: Counts): string {
  const [rateNow, rateBefore] = [rateOf(now), rateOf(before)];
  if (rateNow === null || rateBefore === null) return NOTHING;
  const points = Number(rateNow.toFixed(1)) - Number(rateBefore.toFixed(1));
  return signed(points, points.toFixed(1).replace('-', '−'));
}

/**
 * Writes the change of a figure.
 *
 * @param before the figure of the period before. null: it is not known
 * @returns the change in whole percent; from a small figure on the difference; from 0 on `new`
 */
export function change(now: number, before: number | null): string {
  if (before === null) return NOTHING;
  if (before === 0) return now === 0 ? NOTHING : 'new';
  if (before < LEAST_CLICKS_OF_PERCENTAGE) return signed(now - before);
  // `|| 0` turns the -0 of a small fall into 0.
  const percent = Math.round((100 * (now - before)) / before) || 0;
  return signed(percent, `${whole(percent)}%`);
}

/** Room of a narrow cell, in characters. */
const NARROW = '+999%'.length;

/** Returns the change for a narrow cell: "×18" in place of "+1,694%", which would break there. */
export function briefChange(now: number, before: number | null): string {
  const words = change(now, before);
  return before && words.length > NARROW ? `×${whole(Math.round(now / before))}` : words;
}

/**
 * Returns the totals for the page and the weekly mail, with their change. `n` is null for a rate.
 */
export function totalsOf({ now, before, hasRegistrations }: Report) {
  const counted = (name: string, n: number, former: number) => ({
    name,
    n,
    figure: whole(n),
    difference: change(n, former),
    earlier: whole(former),
  });
  const rates = { figure: rate(now), difference: changeOfRate(now, before), earlier: rate(before) };
  return [
    counted('Visits', now.visits, before.visits),
    counted('Views', now.views, before.views),
    counted('Clicks', now.clicks, before.clicks),
    { name: 'Clicks per 100 visits', n: null, ...rates },
    ...(hasRegistrations
      ? [counted('Registrations', now.registrations, before.registrations)]
      : []),
  ];
}
