/** The report as a page: without script, with all of its state in the address. Strangers chose its refs, campaigns and sites. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CTA_EVENTS, isCtaEvent } from '#contract/cta.ts';
import { escapeHtml, printable } from '../text/safe-text.ts';
import { type Counts, NONE, OTHERS } from './figures.ts';
import { hideSmall, isSmall, NOT_HIDDEN } from './hide-small.ts';
import { change, changeOfRate, NOTHING, rate, whole } from './numbers.ts';
import { PERIODS, type Question } from './question.ts';
import type { Report, ReportTable, Row } from './report.ts';

export const REPORT_STYLE: string = readFileSync(join(import.meta.dirname, 'report.css'), 'utf8');

/** Rows of a table. More are in the CSV. */
const MOST_ROWS = 50;
const SMALL = 'under 11';

/** Tables that stand beside the others on a wide screen. */
const NARROW = ['cta', 'screen'];

const NOTE = `<p class="sm foot">A rate is clicks per 100 visits, from 30 visits on. It leaves out clicks by ping, and clicks with Global Privacy Control or Do Not Track. The site does not count their visits. A change compares clicks with the period before: in percent, or as a difference below 20 clicks.</p>`;

const text = (value: string) => escapeHtml(printable(value));

/** @param isServed whether the reader can ask for another report: the page has the form and links then */
export function printHtml(report: Report, isServed: boolean): string {
  const { question, productName, tables, byDay } = report;
  const title = `${productName}, ${periodInWords(question)}`;
  const sections = (isNarrow: boolean) =>
    tables
      .filter(({ id }) => NARROW.includes(id) === isNarrow)
      .map((table) => section(table, question, isServed))
      .join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>Report: ${text(title)}</title>
<style>${REPORT_STYLE}</style>
</head>
<body>
<a class="skip" href="#figures">Skip to the figures</a>
<header class="top">
<div class="brand">Report</div>
<h1>${text(title)}</h1>
<p class="when">${whenInWords(question)}</p>
${isServed ? picker(question) : ''}
</header>
<main id="figures" tabindex="-1">
${chips(question, isServed)}
${totals(report)}
<div class="two">
<div>${sections(false)}</div>
<div>${sections(true)}</div>
</div>
${section(byDay, question, isServed)}
${question.isShared ? '' : NOTE}
${question.isShared ? '' : operators(report)}
</main>
</body>
</html>
`;
}

const periodInWords = ({ days, from, to }: Question): string =>
  days === null ? `${dayInWords(from)} to ${dayInWords(to)}` : `the last ${days} days`;

function whenInWords({ from, to, timeZone, isShared, days }: Question): string {
  const dates = `${dayInWords(from)} to ${dayInWords(to)}, ${to.slice(0, 4)}`;
  const place = text(timeZone.replaceAll('_', ' '));
  const before = `compared with as many days before${days === null ? '' : ', until the same hour'}`;
  const compared = isShared
    ? 'without figures from 1 to 10, and without larger ones that would give them away'
    : before;
  return `<b>${dates}</b>, time zone ${place}, ${compared}`;
}

const dayInWords = (day: string): string =>
  Temporal.PlainDate.from(day).toLocaleString('en-US', { month: 'short', day: 'numeric' });

function addressOf(question: Question, other: Partial<Record<string, string | null>>): string {
  const { days, from, to, timeZone, ref, cta, isShared } = question;
  const fields = {
    ...(days === null ? { from, to } : { days: String(days) }),
    ...{ tz: timeZone, ref, cta, share: isShared ? '1' : null },
    ...other,
  };
  const set = Object.entries(fields).filter((entry) => typeof entry[1] === 'string');
  return `?${escapeHtml(String(new URLSearchParams(set as [string, string][])))}`;
}

function picker(question: Question): string {
  const { from, to, timeZone, ref, cta, isShared } = question;
  const links = PERIODS.map((days) => {
    const current = days === question.days ? ' aria-current="page"' : '';
    const address = addressOf(question, { days: String(days), from: null, to: null });
    return `<li><a href="${address}"${current}>${days} days</a></li>`;
  });
  const ctas = CTA_EVENTS.map(
    (event) => `<option value="${event}"${event === cta ? ' selected' : ''}>${event}</option>`,
  );
  return `<nav class="pick" aria-label="Period and filters">
<ul class="seg">${links.join('')}<li><a href="report.csv${addressOf(question, {})}">CSV</a></li></ul>
<form class="dates">
<label>From<input type="date" name="from" value="${from}"></label>
<label>To<input type="date" name="to" value="${to}"></label>
<label>Time zone<input name="tz" value="${text(timeZone)}"></label>
<label>Link (ref)<input name="ref" value="${text(ref ?? '')}"></label>
<label>Call to action<select name="cta"><option value="">all</option>${ctas.join('')}</select></label>
${isShared ? '<input type="hidden" name="share" value="1">' : ''}<button>Show</button>
</form>
</nav>`;
}

function chips(question: Question, isServed: boolean): string {
  const filters = (['ref', 'cta'] as const).filter((name) => question[name] !== null);
  if (filters.length === 0) return '';
  const items = filters.map((name) => {
    const removed = addressOf(question, { [name]: null });
    const remove = `<a href="${removed}">Remove<span class="vh"> the filter ${name}</span></a>`;
    return `<li>${name}: ${text(question[name] ?? '')}${isServed ? remove : ''}</li>`;
  });
  return `<ul class="chips" aria-label="Filters">${items.join('')}</ul>`;
}

function totals({ now, before, hasForm, question }: Report): string {
  const one = (name: string, value: string, difference: string, earlier: string) =>
    `<div><dt>${name}</dt><dd class="big">${value}</dd><dd>${earlier === NOTHING ? 'not known before' : `${difference} from ${earlier}`}</dd></div>`;
  const count = (name: string, n: number, earlier: number) =>
    question.isShared
      ? `<div><dt>${name}</dt><dd class="big">${isSmall(n) ? SMALL : whole(n)}</dd></div>`
      : one(name, whole(n), `<b>${change(n, earlier)}</b>`, whole(earlier));
  const rates = question.isShared
    ? ''
    : one('Clicks per 100 visits', rate(now), `<b>${changeOfRate(now, before)}</b>`, rate(before));
  // A registration has no link and no call to action.
  const isFiltered = question.ref !== null || question.cta !== null;
  const hasRegistrations = hasForm && !isFiltered && !question.isShared;
  return `<h2 class="vh">Totals</h2>
<dl class="tot">
${count('Visits', now.visits, before.visits)}
${count('Clicks', now.clicks, before.clicks)}
${rates}
${hasRegistrations ? count('Registrations', now.registrations, before.registrations) : ''}
</dl>`;
}

function section(table: ReportTable, question: Question, isServed: boolean): string {
  const { id, title, column, hasVisits, rows } = table;
  const columns = [
    ...(hasVisits ? ['Visits'] : []),
    'Clicks',
    ...(question.isShared ? [] : [...(hasVisits ? ['per 100'] : []), 'Change']),
  ];
  const hidden = question.isShared ? hideSmall(rows) : NOT_HIDDEN;
  if (!hidden)
    return `<section><h2>${title}</h2><p class="foot">These figures are too small to share.</p></section>`;
  const cell = (row: Row, what: 'visits' | 'clicks') =>
    `<td>${hidden[what].has(row) ? 'hidden' : whole(row.now[what])}</td>`;
  const lines = rows.slice(0, MOST_ROWS).map((row) => {
    const { now, before } = row;
    const compared = question.isShared
      ? ''
      : `${hasVisits ? `<td class="r">${spokenRate(now)}</td>` : ''}<td>${change(now.clicks, before?.clicks ?? null)}</td>`;
    const visits = hasVisits ? cell(row, 'visits') : '';
    return `<tr><th scope="row">${rowName(row, id, isServed ? question : null)}</th>${visits}${cell(row, 'clicks')}${compared}</tr>`;
  });
  const more = rows.length - MOST_ROWS;
  return `<section aria-labelledby="h-${id}">
<h2 id="h-${id}">${title}</h2>
<table><caption class="vh">${title}: ${columns.join(', ')}</caption>
<thead><tr><th scope="col">${column}</th>${columns.map((name) => `<th scope="col" class="num">${name}</th>`).join('')}</tr></thead>
<tbody>
${lines.join('\n')}
</tbody></table>
${more > 0 ? `<p class="sm foot">${whole(more)} more are in the CSV.</p>` : ''}
</section>`;
}

const spokenRate = (counts: Counts): string => {
  const shown = rate(counts);
  if (shown !== NOTHING) return shown;
  return `<span aria-hidden="true">${NOTHING}</span><span class="vh">too few visits</span>`;
};

/** Links lead to the report of one link or call to action. @param question null: without links */
function rowName({ key, name }: Row, id: string, question: Question | null): string {
  const hasCode = id === 'ref' || (id === 'cta' && isCtaEvent(key));
  const shown = text(name);
  const code = hasCode && name !== key && key !== NONE ? text(key) : '';
  const label =
    question && hasCode && key !== OTHERS
      ? `<a class="nm" href="${addressOf(question, { [id]: key })}">${shown}</a>`
      : `<span class="nm">${shown}</span>`;
  return `${label} <span class="cd">${code}</span>`;
}

function operators({ now }: Report): string {
  const ways = Object.entries(now.byWay).map(([way, n]) => `${whole(n)} by ${text(way)}`);
  const facts: [name: string, says: string][] = [
    [
      'Robots',
      `${whole(now.robotClicks)} clicks and ${whole(now.robotVisits)} visits. They count in no figure.`,
    ],
    ['Gaps', `${gapsInWords(now.missing)} Browsers report ${whole(now.dropped)} dropped.`],
    ['Ways of delivery', `${ways.join(', ') || 'No clicks'}.`],
    [
      'Clicks without a known visit',
      `${whole(now.clicks - now.rated)}, of them ${whole(now.privateClicks)} with Global Privacy Control or Do Not Track. They count in no rate.`,
    ],
  ];
  return `<details class="ops"><summary>For operators: robots, gaps, ways of delivery</summary>
<dl>${facts.map(([name, says]) => `<div><dt>${name}</dt><dd>${says}</dd></div>`).join('')}</dl></details>`;
}

const gapsInWords = (missing: number | null): string =>
  missing === null
    ? 'A filter leaves out clicks, so gaps cannot be counted.'
    : `About ${whole(missing)} clicks are missing between others of their visit. Browsers may still send those of the last 7 days.`;
