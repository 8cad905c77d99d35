/** The report as a page: without script, with all of its state in the address. */
import { join } from 'node:path';
import { printHtml, readStyle, text } from '../../html/html-page.ts';
import { escapeHtml } from '../../html/safe-text.ts';
import type { Opening } from '../causes/read-opening.ts';
import type { Report } from '../figures/report.ts';
import { dateOf, PERIODS, type Question } from '../question.ts';
import type { FormAnswer } from '../sharing/forms.ts';
import { createLinks, dates, type Links, queryOf } from './addresses.ts';
import { chart } from './print-chart.ts';
import { openingSentences, rateSentence } from './print-opening.ts';
import { filterTables, hours, sources } from './print-tables.ts';
import { completeness, howCounted, operators, totals } from './print-totals.ts';
import { beforeInWords, clock, datesInWords, dayInWords, filtersOf, placeOf } from './words.ts';

/** Colours, text and totals; then the chart, tables and forms; then columns, screens and paper. */
const STYLES = ['report.css', 'parts.css', 'sizes.css'];

/** @param dist the build; null: without its fonts */
export const reportStyle = (dist: string | null): string =>
  STYLES.map((name) => readStyle(join(import.meta.dirname, name), dist)).join('');

/** Of a page whose reader can ask for another report: it has links and forms. */
interface Options {
  /** Of the team, as HTML. */
  forms?: string;
  answer?: FormAnswer | undefined;
  style: string;
  opening?: Opening;
}

/** @param options for a page that this server serves */
export function printPage(report: Report, options: Options | null = null): string {
  const { forms = '', answer, style = reportStyle(null), opening = null } = options ?? {};
  const { question, site, readAt, tookMs } = report;
  const links = createLinks(question, options !== null && !question.isShared);
  const period = periodInWords(question);
  const address = `${site.siteUrl.replace(/^https?:\/\//, '')}/report${queryOf(question, dates(question.from, question.to))}`;
  const body = `${options ? '<a class="skip" href="#figures">Skip to the figures</a>' : ''}
<header class="top">
<div class="brand"><svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><rect x="1" y="1" width="30" height="30" rx="6" fill="#4b1f52"/><path d="M9 28C9 18 23 14 23 4" fill="none" stroke="#f4b23e" stroke-width="5.5" stroke-linecap="round" stroke-dasharray="4 8.5"/></svg>Report</div>
<div><h1>${text(site.mail.productName)}, ${period}</h1>
<p class="when">${whenInWords(report)}</p></div>
${links.hasLinks && report.lastDay !== null ? picker(question, links, answer) : ''}
</header>
<main id="figures" tabindex="-1">
${parts(report, links, { forms, opening }).join('\n')}
</main>
<footer class="sm"><p>Read at ${clock(readAt, question.timeZone, '2-digit')} in ${(tookMs / 1000).toFixed(1)}\u00a0s${options ? ', and kept for a minute' : ''}. ${files(links)}</p>
${question.isShared ? '' : howCounted(question.timeZone)}
<p class="paper">${question.isShared ? '' : text(address)}</p></footer>`;
  const title = `${answer?.token === null ? 'Error: ' : ''}Report, ${period} – ${site.mail.productName}`;
  return printHtml({ language: 'en', title, style, body });
}

function files(links: Links): string {
  if (!links.hasLinks) return '';
  const file = (by: string | null, words: string) => links.to({ by }, words, '', 'report.csv');
  return `As CSV: ${file(null, 'all tables')}, ${file('clicks', 'each click')}, ${file('visits', 'each visit')}.`;
}

/** From top to bottom. */
function parts(
  report: Report,
  links: Links,
  { forms, opening }: { forms: string; opening: Opening | null },
): string[] {
  const { question, now, lastDay } = report;
  if (lastDay === null) return [`<p>No visits yet.${forms && ' Make your first link:'}</p>`, forms];
  const top = [
    chips(report, links),
    opening ? openingSentences(opening, links) : '',
    completeness(report, links),
    totals(report, links),
    opening ? rateSentence(opening, links) : '',
  ];
  const presses = filterTables(report, links, 'What they press', 'cta');
  const devices = filterTables(report, links, 'Devices and language', 'device', 'language');
  const tables = `<div class="two src">${sources(report, links)}<div>${presses}${devices}</div></div>`;
  const isEmpty = now.visits + now.clicks === 0;
  // Days and hours of one clinic have small figures.
  if (question.isShared) return [...top, isEmpty ? nothing(report, links) : tables];
  if (isEmpty) return [...top, nothing(report, links), forms, operators(report, links)];
  const bottom = `<div class="two">${hours(report, links)}${forms}</div>`;
  const marks = opening?.marks ?? null;
  return [...top, chart(report, links, marks), tables, bottom, operators(report, links)];
}

function periodInWords(question: Question): string {
  const { days } = question;
  if (days === null) return datesInWords(question);
  return days === 1 ? 'today' : `the\u00a0last ${days}\u00a0days`;
}

function whenInWords({ question, readAt }: Report): string {
  const { timeZone, isShared } = question;
  const period = datesInWords(question, { month: 'short', day: 'numeric', year: 'numeric' });
  const today = String(dateOf(readAt, timeZone));
  const untilNow = question.to === today ? `, ${clock(readAt, timeZone)}` : ', so far';
  const time = question.to >= today ? untilNow : '';
  const compared = isShared ? '' : `, compared with ${beforeInWords(question)}`;
  return `<b>${period}${time}</b>, ${placeOf(timeZone)}${compared}`;
}

function picker(question: Question, links: Links, answer: FormAnswer | undefined): string {
  const wrong = answer?.form === 'dates' ? answer : null;
  const { from, to } = wrong?.values ?? question;
  const others = { days: null, from: null, to: null, before: null };
  const periods = PERIODS.map((days) => {
    const current = days === question.days ? ' aria-current="page"' : '';
    return `<li>${links.to({ ...others, days: String(days) }, `${days} days`, current)}</li>`;
  });
  const hidden = [...new URLSearchParams(queryOf(question, others))].map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  const compared = String(wrong?.values.before ?? question.comparedFrom ?? '');
  const fields = [
    dateField('from', 'From', String(from), ' required', wrong),
    dateField('to', 'To', String(to), ' required', wrong),
    dateField('before', 'Compared from', compared, '', wrong),
  ];
  const faults = Object.entries(wrong?.faults ?? {}).map(
    ([name, fault]) => `<p class="dn" id="fault-${name}">${text(fault)}</p>`,
  );
  return `<nav class="pick" aria-label="Period"><ul class="sw">${periods.join('')}</ul>
<form class="dates">${fields.join('')}${hidden.join('')}<button class="lo">Show</button></form>${faults.join('')}
${comparisons(question, links)}</nav>`;
}

function dateField(
  name: string,
  label: string,
  value: string,
  attributes: string,
  wrong: FormAnswer | null,
): string {
  const isWrong = wrong?.faults[name] !== undefined;
  const marks = isWrong ? ` aria-invalid="true" aria-describedby="fault-${name}" autofocus` : '';
  return `<label>${label}<input type="date" name="${name}"${attributes} value="${escapeHtml(value)}"${marks}></label>`;
}

const COMPARISONS = [
  [null, 'the days before'],
  ['weekdays', 'the same weekdays'],
  ['year', 'last year'],
] as const;

/** What the period can be compared with, besides chosen days. */
function comparisons(question: Question, links: Links): string {
  const items = COMPARISONS.map(([compare, words]) => {
    const isCurrent = question.comparedFrom === undefined && (question.compare ?? null) === compare;
    const current = isCurrent ? ' aria-current="true"' : '';
    return `<li>${links.to({ compare, before: null }, words, current)}</li>`;
  });
  return `<div class="cmp">Compared with <ul class="sw">${items.join('')}</ul></div>`;
}

function chips(report: Report, links: Links): string {
  const items = filtersOf(report).map(({ name, words }) => {
    const remove = `Remove<span class="vh"> the filter ${words}</span>`;
    return `<li>${words}${links.hasLinks ? links.to({ [name]: null }, remove) : ''}</li>`;
  });
  return items.length > 0 ? `<ul class="chips" aria-label="Filters">${items.join('')}</ul>` : '';
}

/** Says why there are no figures, and leads to some. */
function nothing(report: Report, links: Links): string {
  const { question, lastDay } = report;
  const filters = filtersOf(report);
  const last = filters.at(-1);
  if (last && !question.isShared) {
    const which = filters.length === 1 ? 'this filter' : `these ${filters.length} filters`;
    return `<p>Nothing matches ${which}. ${links.to({ [last.name]: null }, `Remove ${last.words}`)}</p>`;
  }
  const none = `No visits ${question.from === question.to ? 'on' : 'from'} ${datesInWords(question)}.`;
  if (question.isShared) {
    const next = Temporal.PlainDate.from(question.from).add({ months: 2 });
    return `<p>${none} The figures of this month come on ${dayInWords(String(next))}.</p>`;
  }
  if (lastDay === null) return `<p>${none}</p>`;
  const week = dates(String(Temporal.PlainDate.from(lastDay).subtract({ days: 6 })), lastDay);
  return `<p>${none} The last one was on ${links.to(week, dayInWords(lastDay))}.</p>`;
}
