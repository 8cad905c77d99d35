/** Words, dates and tables, as all parts of the page write them. */
import { text } from '../../html/html-page.ts';
import { NOTHING, whole } from '../figures/numbers.ts';
import type { Report } from '../figures/report.ts';
import { type Dimension, describeValue } from '../figures/selection.ts';
import type { Question } from '../question.ts';

export const DIMENSION_NAMES = {
  ref: 'Link',
  source: 'Source',
  medium: 'Medium',
  campaign: 'Campaign',
  class: 'Kind of site',
  site: 'Site',
  cta: 'Words and place',
  device: 'Device',
  language: 'Language',
  weekday: 'Weekday',
};
/** Instead of a small figure in a shared report. */
export const UNDER = 'under 11';
export const CURRENT = ' aria-current="true"';

/** "1,204 clicks" */
export const count = (n: number, noun: string): string =>
  `${whole(n)}\u00a0${noun}${n === 1 ? '' : 's'}`;

export function beforeInWords({ from, length, shift, comparedFrom }: Question): string {
  if (comparedFrom !== undefined) {
    const first = Temporal.PlainDate.from(from).subtract({ days: shift });
    const days = { from: String(first), to: String(first.add({ days: length - 1 })) };
    return datesInWords(days, { month: 'short', day: 'numeric', year: 'numeric' });
  }
  if (shift > length)
    return `the same ${length === 1 ? 'day' : 'days'} ${shift === 7 ? 'a week' : `${shift / 7}\u00a0weeks`} before`;
  return length === 1 ? 'the day before' : `the ${length}\u00a0days before`;
}

const SHORT: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' };

export const dayInWords = (day: string, format = SHORT): string =>
  Temporal.PlainDate.from(day)
    .toLocaleString('en-US', format)
    .replace(/ (?=\d)/, '\u00a0');

/** "Oct 3 to 17", "Oct 26 to Nov 24", "Nov 5" */
export function datesInWords({ from, to }: Pick<Question, 'from' | 'to'>, format = SHORT): string {
  const words = new Intl.DateTimeFormat('en-US', { ...format, timeZone: 'UTC' });
  return words.formatRange(new Date(from), new Date(to)).replace(/\s–\s/, ' to ');
}

/** @param ms since 1970 @returns "4:42 pm" */
export const clock = (ms: number, timeZone: string, second?: '2-digit'): string =>
  new Date(ms)
    .toLocaleTimeString('en-US', { timeZone, hour: 'numeric', minute: '2-digit', second })
    .toLowerCase()
    .replace(/\s/, '\u00a0');

/** "New York time" */
export function placeOf(timeZone: string): string {
  const place = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', '\u00a0');
  return text(timeZone.includes('/') ? `${place} time` : place);
}

export function filtersOf({ question, tables }: Report): { name: Dimension; words: string }[] {
  const names = Object.keys(question.filters) as Dimension[];
  return names.map((name) => {
    const key = question.filters[name] ?? '';
    const link = name === 'ref' ? tables.ref.find((row) => row.key === key) : undefined;
    const value = link ?? describeValue(name, key);
    const place = value.code ? `${value.name}, ${value.code}` : value.name;
    // Its name is the team's own.
    return { name, words: text(`${DIMENSION_NAMES[name]}: ${question.isShared ? key : place}`) };
  });
}

const SPOKEN_NOTHING = `<span aria-hidden="true">${NOTHING}</span><span class="vh">too few visits</span>`;
export const spoken = (rate: string): string => rate.replace(NOTHING, SPOKEN_NOTHING);

/** The sign says the direction, and the colour repeats it. */
export function colored(tag: 'td' | 'b', difference: string): string {
  const direction = difference.startsWith('−') ? 'dn' : /^(\+|new)/.test(difference) ? 'up' : '';
  return `<${tag} class="${direction}">${difference}</${tag}>`;
}

export const section = (id: string, title: string, downloads: string, body: string): string =>
  `<section aria-labelledby="h-${id}">
<div class="hd"><h2 id="h-${id}">${title}</h2>${downloads}</div>
${body}
</section>`;

export const headCell = (words: string, attributes = ' class="num"'): string =>
  `<th scope="col"${attributes}>${words}</th>`;

type Rows = (readonly [label: string, cells: readonly string[]])[];

export const table = (name: string, caption: string, heads: string, rows: Rows): string =>
  `<table class="${name}"><caption class="vh">${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${rows.map(([label, cells]) => `<tr><th scope="row">${label}</th>${cells.join('')}</tr>`).join('\n')}
</tbody></table>`;
