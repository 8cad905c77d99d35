/** Words, dates and tables, as all parts of the page write them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { printable } from '../../html/safe-text.ts';
import { NOTHING, whole } from '../figures/numbers.ts';
import type { Report } from '../figures/report.ts';
import { type Dimension, describeValue } from '../figures/selection.ts';
import type { Question } from '../question.ts';
import type { Words } from './addresses.ts';

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
export const UNDER_11 = 'under 11';
export const CURRENT = html` aria-current="true"`;

/** "1,204 clicks" */
export const countInWords = (n: number, noun: string): string =>
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

const SHORT_DATE: Intl.DateTimeFormatOptions = { month: 'short', day: 'numeric' };

export const dayInWords = (day: string, format = SHORT_DATE): string =>
  Temporal.PlainDate.from(day)
    .toLocaleString('en-US', format)
    .replace(/ (?=\d)/, '\u00a0');

/** "Oct 3 to 17", "Oct 26 to Nov 24", "Nov 5" */
export function datesInWords(
  { from, to }: Pick<Question, 'from' | 'to'>,
  format = SHORT_DATE,
): string {
  const words = new Intl.DateTimeFormat('en-US', { ...format, timeZone: 'UTC' });
  return words.formatRange(new Date(from), new Date(to)).replace(/\s–\s/, ' to ');
}

/** @param ms since 1970 @returns "4:42 pm" */
export const timeInWords = (ms: number, timeZone: string, second?: '2-digit'): string =>
  new Date(ms)
    .toLocaleTimeString('en-US', { timeZone, hour: 'numeric', minute: '2-digit', second })
    .toLowerCase()
    .replace(/\s/, '\u00a0');

/** "New York time" */
export function placeOf(timeZone: string): string {
  const place = timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', '\u00a0');
  return timeZone.includes('/') ? `${place} time` : place;
}

export function filtersInWords({ question, tables }: Report): { name: Dimension; words: string }[] {
  const names = Object.keys(question.filters) as Dimension[];
  return names.map((name) => {
    const key = question.filters[name] ?? '';
    const link = name === 'ref' ? tables.ref.find((row) => row.key === key) : undefined;
    const value = link ?? describeValue(name, key);
    const place = value.code ? `${value.name}, ${value.code}` : value.name;
    // The name of a link is the team's own, and no word for a reader outside the team.
    const shown = question.isShared ? key : place;
    return { name, words: printable(`${DIMENSION_NAMES[name]}: ${shown}`) };
  });
}

const SPOKEN_NOTHING = html`<span aria-hidden="true">${NOTHING}</span><span class="vh">too few visits</span>`;

/** Shows a rate. A screen reader speaks words where there is a dash. */
export function renderRate(rate: string): SafeHtml {
  const [before, after] = rate.split(NOTHING);
  return after === undefined ? html`${rate}` : html`${before}${SPOKEN_NOTHING}${after}`;
}

/** The sign says the direction, and the colour repeats it. */
export function renderChange(tag: 'td' | 'b', difference: string): SafeHtml {
  const direction = difference.startsWith('−') ? 'dn' : /^(\+|×|new)/.test(difference) ? 'up' : '';
  return html`<${tag} class="${direction}">${difference}</${tag}>`;
}

/** @param downloads links beside the title */
export const renderSection = (
  id: string,
  title: string,
  downloads: SafeHtml | null,
  body: SafeHtml,
): SafeHtml => html`<section aria-labelledby="h-${id}">
<div class="hd"><h2 id="h-${id}">${title}</h2>${downloads}</div>
${body}
</section>`;

const NUMBERS = html` class="num"`;

export const renderHeadCell = (words: Words, attributes: SafeHtml | null = NUMBERS): SafeHtml =>
  html`<th scope="col"${attributes}>${words}</th>`;

type Rows = (readonly [label: Words, cells: SafeHtml[]])[];

export function renderTable(
  name: string,
  caption: string,
  heads: SafeHtml[],
  rows: Rows,
): SafeHtml {
  const lines = rows.map(
    ([label, cells]) => html`<tr><th scope="row">${label}</th>${cells}</tr>
`,
  );
  return html`<table class="${name}"><caption class="vh">${caption}</caption>
<thead><tr>${heads}</tr></thead>
<tbody>
${lines}</tbody></table>`;
}
