/** Renders the report as a page. It has no script, and its address has all of its state. */
import { join } from 'node:path';
import { html, type SafeHtml } from '@remix-run/html-template';
import { readStyle, renderPage } from '../../html/html-page.ts';
import { printable } from '../../html/safe-text.ts';
import type { Opening } from '../causes/read-opening.ts';
import type { Report } from '../figures/report.ts';
import { dateOf, PERIODS, type Question } from '../question.ts';
import type { FormAnswer } from '../sharing/forms.ts';
import { createLinks, dates, type Links, queryOf } from './addresses.ts';
import { renderChart } from './render-chart.ts';
import { renderOpening, renderRateSentence } from './render-opening.ts';
import { renderFilterTables, renderHours, renderSources } from './render-tables.ts';
import {
  renderCompleteness,
  renderHowCounted,
  renderOperators,
  renderTotals,
} from './render-totals.ts';
import {
  beforeInWords,
  CURRENT,
  datesInWords,
  dayInWords,
  filtersInWords,
  placeOf,
  timeInWords,
} from './words.ts';

/** Colours, text and totals; then the chart, tables and forms; then columns, screens and paper. */
const STYLES = ['report.css', 'parts.css', 'sizes.css'];

/** @param dist the build; null: without its fonts */
export const reportStyle = (dist: string | null): string =>
  STYLES.map((name) => readStyle(join(import.meta.dirname, name), dist)).join('');

/** What a page has whose reader can ask for another report. */
interface Options {
  /** Forms for links, notes and shares. A reader outside the team has none. */
  forms?: SafeHtml;
  answer?: FormAnswer | undefined;
  style: string;
  opening?: Opening;
}

/** Renders the page. @param options null: a file without links, as `site report` writes it */
export function renderReport(report: Report, options: Options | null = null): string {
  const { forms = null, answer, style = reportStyle(null), opening = null } = options ?? {};
  const { question, site } = report;
  const links = createLinks(question, options !== null && !question.isShared);
  const period = periodInWords(question);
  const hasPicker = links.hasLinks && report.lastDay !== null;
  const body = html`${options ? SKIP : null}
<header class="top">
<div class="brand">${BRAND}Report</div>
<div><h1>${printable(site.mail.productName)}, ${period}</h1>
<p class="when">${whenInWords(report)}</p></div>
${hasPicker ? renderPicker(question, links, answer) : null}
</header>
<main id="figures" tabindex="-1">
${renderParts(report, links, { forms, opening })}
</main>
${renderFooter(report, links, options !== null)}`;
  const error = answer?.token === null ? 'Error: ' : '';
  const title = `${error}Report, ${period} – ${site.mail.productName}`;
  return String(renderPage({ language: 'en', title, style, body }));
}

const SKIP = html`<a class="skip" href="#figures">Skip to the figures</a>`;
const BRAND = html`<svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true">
<rect x="1" y="1" width="30" height="30" rx="6" fill="#4b1f52"/>
<path d="M9 28C9 18 23 14 23 4" fill="none" stroke="#f4b23e" stroke-width="5.5"
 stroke-linecap="round" stroke-dasharray="4 8.5"/></svg>`;

function renderFooter(report: Report, links: Links, isServed: boolean): SafeHtml {
  const { question, site, readAt, tookMs } = report;
  const host = site.siteUrl.replace(/^https?:\/\//, '');
  const address = `${host}/report${queryOf(question, dates(question.from, question.to))}`;
  const at = timeInWords(readAt, question.timeZone, '2-digit');
  const kept = isServed ? ', and kept for a minute' : '';
  return html`<footer class="sm"><p>Read at ${at} in ${(tookMs / 1000).toFixed(1)}\u00a0s${kept}.
${renderFiles(links)}</p>
${question.isShared ? null : renderHowCounted(question.timeZone)}
<p class="paper">${question.isShared ? null : printable(address)}</p></footer>`;
}

function renderFiles(links: Links): SafeHtml | null {
  if (!links.hasLinks) return null;
  const file = (by: string | null, words: string) => links.to({ by }, words, null, 'report.csv');
  const [clicks, visits] = [file('clicks', 'each click'), file('visits', 'each visit')];
  const all = file(null, 'all tables');
  return html`<span class="files">As CSV: ${all}, ${clicks}, ${visits}.</span>`;
}

/** Renders all between the header and the footer, from top to bottom. */
function renderParts(
  report: Report,
  links: Links,
  { forms, opening }: { forms: SafeHtml | null; opening: Opening | null },
): SafeHtml {
  const { question, now, lastDay } = report;
  if (lastDay === null)
    return html`<p>No visits yet.${forms ? ' Make your first link:' : null}</p>
${forms}`;
  const top = html`${renderChips(report, links)}
${opening ? renderOpening(opening, links) : null}
${renderCompleteness(report, links)}
${renderTotals(report, links)}
${opening ? renderRateSentence(opening, links) : null}`;
  const presses = renderFilterTables(report, links, 'What they press', 'cta');
  const devices = renderFilterTables(report, links, 'Devices and language', 'device', 'language');
  const tables = html`<div class="two src">${renderSources(report, links)}<div>${presses}${devices}</div></div>`;
  const isEmpty = now.visits + now.clicks === 0;
  const reason = isEmpty ? renderNothingFound(report, links) : null;
  // Days and hours of one clinic have small figures.
  if (question.isShared) return html`${top}\n${reason ?? tables}`;
  if (reason) return html`${top}\n${reason}\n${forms}\n${renderOperators(report, links)}`;
  return html`${top}
${renderChart(report, links, opening?.marks ?? null)}
${tables}
<div class="two">${renderHours(report, links)}${forms}</div>
${renderOperators(report, links)}`;
}

function periodInWords(question: Question): string {
  const { days } = question;
  if (days === null) return datesInWords(question);
  return days === 1 ? 'today' : `the\u00a0last ${days}\u00a0days`;
}

function whenInWords({ question, readAt }: Report): SafeHtml {
  const { timeZone, isShared } = question;
  const period = datesInWords(question, { month: 'short', day: 'numeric', year: 'numeric' });
  const today = String(dateOf(readAt, timeZone));
  const untilNow = question.to === today ? `, ${timeInWords(readAt, timeZone)}` : ', so far';
  const time = question.to >= today ? untilNow : '';
  const compared = isShared ? '' : `, compared with ${beforeInWords(question)}`;
  return html`<b>${period}${time}</b>, ${placeOf(timeZone)}${compared}`;
}

const NO_PERIOD = { days: null, from: null, to: null, before: null };

function renderPicker(question: Question, links: Links, answer: FormAnswer | undefined): SafeHtml {
  const wrong = answer?.form === 'dates' ? answer : null;
  const periods = PERIODS.map((days) => {
    const current = days === question.days ? html` aria-current="page"` : null;
    const link = links.to({ ...NO_PERIOD, days: String(days) }, `${days} days`, current);
    return html`<li>${link}</li>`;
  });
  const faults = Object.entries(wrong?.faults ?? {}).map(
    ([name, fault]) => html`<p class="dn" id="fault-${name}">${printable(fault)}</p>`,
  );
  return html`<nav class="pick" aria-label="Period"><ul class="sw">${periods}</ul>
${renderDatesForm(question, wrong)}${faults}
${renderComparisons(question, links)}</nav>`;
}

/** @param wrong the answer to dates that could not be shown */
function renderDatesForm(question: Question, wrong: FormAnswer | null): SafeHtml {
  const { from, to } = wrong?.values ?? question;
  const compared = String(wrong?.values.before ?? question.comparedFrom ?? '');
  const fields = [
    renderDateField('from', 'From', String(from), html` required`, wrong),
    renderDateField('to', 'To', String(to), html` required`, wrong),
    renderDateField('before', 'Compared from', compared, null, wrong),
  ];
  const kept = [...new URLSearchParams(queryOf(question, NO_PERIOD))].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form class="dates">${fields}${kept}<button class="lo">Show</button></form>`;
}

function renderDateField(
  name: string,
  label: string,
  value: string,
  attributes: SafeHtml | null,
  wrong: FormAnswer | null,
): SafeHtml {
  const isWrong = wrong?.faults[name] !== undefined;
  const marks = html` aria-invalid="true" aria-describedby="fault-${name}" autofocus`;
  const field = html`type="date" name="${name}"${attributes} value="${value}"`;
  return html`<label>${label}<input ${field}${isWrong ? marks : null}></label>`;
}

const COMPARISONS = [
  [null, 'the days before'],
  ['weekdays', 'the same weekdays'],
  ['year', 'last year'],
] as const;

/** Renders links to what the period can be compared with, besides chosen days. */
function renderComparisons(question: Question, links: Links): SafeHtml {
  const items = COMPARISONS.map(([compare, words]) => {
    const isCurrent = question.comparedFrom === undefined && (question.compare ?? null) === compare;
    return html`<li>${links.to({ compare, before: null }, words, isCurrent ? CURRENT : null)}</li>`;
  });
  return html`<div class="cmp">Compared with <ul class="sw">${items}</ul></div>`;
}

function renderChips(report: Report, links: Links): SafeHtml | null {
  const items = filtersInWords(report).map(({ name, words }) => {
    const remove = html`Remove<span class="vh"> the filter ${words}</span>`;
    return html`<li>${words}${links.hasLinks ? links.to({ [name]: null }, remove) : null}</li>`;
  });
  return items.length > 0 ? html`<ul class="chips" aria-label="Filters">${items}</ul>` : null;
}

/** Says why there are no figures, and links to days that have some. */
function renderNothingFound(report: Report, links: Links): SafeHtml {
  const { question, lastDay } = report;
  const filters = filtersInWords(report);
  const last = filters.at(-1);
  if (last && !question.isShared) {
    const which = filters.length === 1 ? 'this filter' : `these ${filters.length} filters`;
    const remove = links.to({ [last.name]: null }, `Remove ${last.words}`);
    return html`<p>Nothing matches ${which}. ${remove}</p>`;
  }
  const none = `No visits ${question.from === question.to ? 'on' : 'from'} ${datesInWords(question)}.`;
  if (question.isShared) {
    const next = Temporal.PlainDate.from(question.from).add({ months: 2 });
    return html`<p>${none} The figures of this month come on ${dayInWords(String(next))}.</p>`;
  }
  if (lastDay === null) return html`<p>${none}</p>`;
  const week = dates(String(Temporal.PlainDate.from(lastDay).subtract({ days: 6 })), lastDay);
  return html`<p>${none} The last one was on ${links.to(week, dayInWords(lastDay))}.</p>`;
}
