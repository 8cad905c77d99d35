/** The question of the page: its period, its filters, and what to ask instead if nothing matches. */

import { text } from '../../text/html-page.ts';
import { escapeHtml } from '../../text/safe-text.ts';
import { type Dimension, describeValue } from '../dimensions.ts';
import { PERIODS, type Question } from '../question.ts';
import type { Report } from '../report.ts';
import { dates, type Links, queryOf } from './addresses.ts';
import { DIMENSION_NAMES, datesInWords, dayInWords } from './words.ts';

export function picker(question: Question, links: Links): string {
  const others = { days: null, from: null, to: null };
  const periods = PERIODS.map((days) => {
    const current = days === question.days ? ' aria-current="page"' : '';
    return `<li>${links.to({ ...others, days: String(days) }, `${days} days`, current)}</li>`;
  });
  const hidden = [...new URLSearchParams(queryOf(question, others))].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return `<nav class="pick" aria-label="Period"><ul class="sw">${periods.join('')}</ul>
<form class="dates"><label>From<input type="date" name="from" required value="${question.from}"></label><label>To<input type="date" name="to" required value="${question.to}"></label>${hidden.join('')}<button class="lo">Show</button></form></nav>`;
}

/** The filters in words. */
function filtersOf({ question, tables }: Report): { name: Dimension; words: string }[] {
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

export function chips(report: Report, links: Links): string {
  const items = filtersOf(report).map(({ name, words }) => {
    const remove = `Remove<span class="vh"> the filter ${words}</span>`;
    return `<li>${words}${links.hasLinks ? links.to({ [name]: null }, remove) : ''}</li>`;
  });
  return items.length > 0 ? `<ul class="chips" aria-label="Filters">${items.join('')}</ul>` : '';
}

/** Says why there are no figures, and leads to some. */
export function nothing(report: Report, links: Links): string {
  const { question, lastDay } = report;
  const filters = filtersOf(report);
  const last = filters.at(-1);
  if (last && !question.isShared) {
    const which = filters.length === 1 ? 'this filter' : `these ${filters.length} filters`;
    return `<p>Nothing matches ${which}. ${links.to({ [last.name]: null }, `Remove ${last.words}`)}</p>`;
  }
  const none = `No visits ${question.from === question.to ? 'on' : 'from'} ${datesInWords(question)}.`;
  if (question.isShared || lastDay === null) return `<p>${none}</p>`;
  const week = dates(String(Temporal.PlainDate.from(lastDay).subtract({ days: 6 })), lastDay);
  return `<p>${none} The last one was on ${links.to(week, dayInWords(lastDay))}.</p>`;
}
