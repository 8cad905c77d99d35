/** The report as a page: without script, with all of its state in the address. */
import { join } from 'node:path';
import { printHtml, readStyle, text } from '../../text/html-page.ts';
import { dateOf, type Question } from '../question.ts';
import type { Report } from '../report.ts';
import { createLinks, dates, type Links, queryOf } from './addresses.ts';
import { chart } from './print-chart.ts';
import { chips, nothing, picker } from './print-question.ts';
import { filterTables, hours, sources } from './print-tables.ts';
import { completeness, howCounted, operators, totals } from './print-totals.ts';
import { beforeInWords, clock, datesInWords, placeOf } from './words.ts';

const STYLE = join(import.meta.dirname, 'report.css');

/** @param dist the build */
export const reportStyle = (dist: string): string => readStyle(STYLE, dist);

/** Of a page whose reader can ask for another report: it has links and forms. */
interface Options {
  /** Of the team, as HTML. */
  forms: string;
  /** Whether a form has a fault. */
  hasError: boolean;
  style: string;
}
/** @param options for a page that this server serves */
export function printPage(report: Report, options: Options | null = null): string {
  const { forms = '', hasError = false, style = readStyle(STYLE, null) } = options ?? {};
  const { question, readAt, tookMs } = report;
  const links = createLinks(question, options !== null && !question.isShared);
  const period = periodInWords(question);
  const address = report.address + queryOf(question, dates(question.from, question.to));
  const body = `${options ? '<a class="skip" href="#figures">Skip to the figures</a>' : ''}
<header class="top">
<div class="brand"><svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><rect x="1" y="1" width="30" height="30" rx="6" fill="#4b1f52"/><path d="M9 28C9 18 23 14 23 4" fill="none" stroke="#f4b23e" stroke-width="5.5" stroke-linecap="round" stroke-dasharray="4 8.5"/></svg>Report</div>
<div><h1>${text(report.productName)}, ${period}</h1>
<p class="when">${whenInWords(report)}</p></div>
${links.hasLinks && report.lastDay !== null ? picker(question, links) : ''}
</header>
<main id="figures" tabindex="-1">
${parts(report, links, forms).join('\n')}
</main>
<footer class="sm"><p>Read at ${clock(readAt, question.timeZone, '2-digit')} in ${(tookMs / 1000).toFixed(1)}\u00a0s${options ? ', and kept for a minute' : ''}. ${links.hasLinks ? links.to({ by: null }, 'All tables as CSV', '', 'report.csv') : ''}</p>
${question.isShared ? '' : howCounted(question.timeZone)}
<p class="paper">${question.isShared ? '' : text(address)}</p></footer>`;
  const title = `${hasError ? 'Error: ' : ''}Report, ${period} – ${report.productName}`;
  return printHtml({ language: 'en', title, style, body });
}

/** From top to bottom. */
function parts(report: Report, links: Links, forms: string): string[] {
  const { question, now, lastDay } = report;
  if (lastDay === null) return [`<p>No visits yet.${forms && ' Make your first link:'}</p>`, forms];
  const top = [chips(report, links), completeness(report, links), totals(report, links)];
  const presses = filterTables(report, links, 'What they press', ['cta']);
  const devices = filterTables(report, links, 'Devices and language', ['device', 'language']);
  const tables = `<div class="two src">${sources(report, links)}<div>${presses}${devices}</div></div>`;
  const isEmpty = now.visits + now.clicks === 0;
  // Days and hours of one clinic have small figures.
  if (question.isShared) return [...top, isEmpty ? nothing(report, links) : tables];
  if (isEmpty) return [...top, nothing(report, links), forms, operators(report)];
  const bottom = `<div class="two">${hours(report, links)}${forms}</div>`;
  return [...top, chart(report, links), tables, bottom, operators(report)];
}

function periodInWords(question: Question): string {
  const { days } = question;
  if (days === null) return datesInWords(question);
  return days === 1 ? 'today' : `the\u00a0last ${days}\u00a0days`;
}

function whenInWords({ question, readAt }: Report): string {
  const { timeZone, isShared } = question;
  const period = datesInWords(question, { month: 'short', day: 'numeric', year: 'numeric' });
  const isToday = question.to === String(dateOf(readAt, timeZone));
  const time = isToday ? `, ${clock(readAt, timeZone)}` : '';
  const compared = isShared ? '' : `, compared with ${beforeInWords(question)}`;
  return `<b>${period}${time}</b>, ${placeOf(timeZone)}${compared}`;
}
