/** The report as a page: without script, with all of its state in the address. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dateOf, type Question } from '../question.ts';
import type { Report } from '../report.ts';
import { createLinks, dates, type Links, queryOf } from './addresses.ts';
import { chart } from './print-chart.ts';
import { howCounted, operators } from './print-operators.ts';
import { chips, monthPicker, nothing, picker } from './print-question.ts';
import { calls, devices, hours, sharedSources, sources } from './print-tables.ts';
import { completeness, totals } from './print-totals.ts';
import { beforeInWords, clock, datesInWords, placeOf, text } from './words.ts';

const STYLE = readFileSync(join(import.meta.dirname, 'report.css'), 'utf8');

/** The style with the font of the site's titles. @param distDir the build, which adds a hash to its name */
export function servedStyle(distDir: string): string {
  const files = readdirSync(join(distDir, 'client'), { recursive: true, encoding: 'utf8' });
  const font = files.find((file) => file.includes('newsreader-display.'));
  return `${font ? `@font-face{font-family:Newsreader;src:url(/${font})}` : ''}\n${STYLE}`;
}

interface Options {
  /** Whether the reader can ask for another report: the page has links and forms then. */
  isServed: boolean;
  /** Of the team, as HTML. */
  forms: string;
  /** Whether a form has a fault. */
  hasError: boolean;
  style: string;
}
const ALONE: Options = { isServed: false, forms: '', hasError: false, style: STYLE };

/** @param options for a page that this server serves */
export function printPage(report: Report, options: Options = ALONE): string {
  const { isServed, forms, hasError, style } = options;
  const { question, readAt, tookMs } = report;
  const links = createLinks(question, isServed && !question.isShared);
  const title = text(report.productName);
  const period = periodInWords(question);
  const address = report.address + queryOf(question, dates(question.from, question.to));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${hasError ? 'Error: ' : ''}Report, ${period} – ${title}</title>
<style>${style}</style>
</head>
<body>
${isServed ? '<a class="skip" href="#figures">Skip to the figures</a>' : ''}
<header class="top">
<div class="brand"><svg width="32" height="32" viewBox="0 0 32 32" aria-hidden="true"><rect x="1" y="1" width="30" height="30" rx="6" fill="#4b1f52"/><path d="M9 28C9 18 23 14 23 4" fill="none" stroke="#f4b23e" stroke-width="5.5" stroke-linecap="round" stroke-dasharray="4 8.5"/></svg>Report</div>
<div><h1><span>${title},</span> <span>${period}</span></h1>
<p class="when">${whenInWords(report)}</p></div>
${isServed && report.lastDay !== null ? `<nav class="pick" aria-label="Period">${question.isShared ? monthPicker(question) : picker(question, links)}</nav>` : ''}
</header>
<main id="figures" tabindex="-1">
${parts(report, links, forms).join('\n')}
</main>
<footer class="sm"><p>Read at ${clock(readAt, question.timeZone, '2-digit')} in ${(tookMs / 1000).toFixed(1)}\u00a0s${isServed ? ', and kept for a minute' : ''}. ${links.hasLinks ? links.to({ by: null }, 'All tables as CSV', '', 'report.csv') : ''}</p>
${question.isShared ? '' : howCounted(question.timeZone)}
<p class="paper">${question.isShared ? '' : text(address)}</p></footer>
</body>
</html>
`;
}

/** From top to bottom. */
function parts(report: Report, links: Links, forms: string): string[] {
  const { question, now, lastDay } = report;
  if (lastDay === null) return [`<p>No visits yet.${forms && ' Make your first link:'}</p>`, forms];
  const top = [chips(report, links), completeness(report, links), totals(report, links)];
  const source = question.isShared ? sharedSources(report, links) : sources(report, links);
  const tables = `<div class="two src">${source}<div>${calls(report, links)}${devices(report, links)}</div></div>`;
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
  return days === 1 ? 'today' : `the last ${days} days`;
}

function whenInWords({ question, readAt }: Report): string {
  const { timeZone, isShared } = question;
  const period = datesInWords(question, { month: 'short', day: 'numeric', year: 'numeric' });
  const isToday = question.to === String(dateOf(readAt, timeZone));
  const time = isToday ? `, ${clock(readAt, timeZone)}` : '';
  const compared = isShared ? '' : `, compared with ${beforeInWords(question)}`;
  return `<b>${period}${time}</b>, ${placeOf(timeZone)}${compared}`;
}
