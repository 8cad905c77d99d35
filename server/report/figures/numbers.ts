/** How the report writes numbers: commas from 1,000, a real minus, "–" for what says nothing. */
import type { Counts } from './figures.ts';
import type { Report } from './report.ts';

/** Fewer visits say nothing about a rate. */
const LEAST_VISITS = 30;
/** A percentage of fewer clicks would look like a trend. */
const LEAST_CLICKS = 20;

export const NOTHING = '–';

export const whole = (n: number): string => n.toLocaleString('en-US').replace('-', '−');

/** For narrow cells: "1.8K". @param exactBelow the number from which on it is rounded */
export const brief = (n: number, exactBelow: number): string =>
  n < exactBelow
    ? whole(n)
    : n.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: n < 1e5 ? 2 : 3 });

/** "+5", "−5%" */
export const signed = (n: number, text = whole(n)): string => (n > 0 ? `+${text}` : text);

/** @returns clicks per 100 visits; null: too few visits */
export const rateOf = ({ visits, rated }: Counts): number | null =>
  visits < LEAST_VISITS ? null : (100 * rated) / visits;

export const rate = (counts: Counts): string => rateOf(counts)?.toFixed(1) ?? NOTHING;

/** @returns the change of a rate in points, with one decimal */
function changeOfRate(now: Counts, before: Counts): string {
  const [one, other] = [rateOf(now), rateOf(before)];
  if (one === null || other === null) return NOTHING;
  const points = Number(one.toFixed(1)) - Number(other.toFixed(1));
  return signed(points, points.toFixed(1).replace('-', '−'));
}

/**
 * @param before null: not known
 * @returns the change in whole percent; from few clicks, the plain difference; from none, `new`
 */
export function change(now: number, before: number | null): string {
  if (before === null) return NOTHING;
  if (before === 0) return now === 0 ? NOTHING : 'new';
  if (before < LEAST_CLICKS) return signed(now - before);
  // Without `|| 0` a small fall would be -0.
  const percent = Math.round((100 * (now - before)) / before) || 0;
  return signed(percent, `${whole(percent)}%`);
}

/** The totals of the page and of the mail. `n` is null for a rate. */
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
