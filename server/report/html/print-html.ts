/** The report as one HTML file: no script, no other files, for screens and paper, light and dark. */
import { existsSync, readFileSync } from 'node:fs';
import { quoted } from '../../text/shell.ts';
import { printableReport } from '../printable-report.ts';
import {
  optionsOf,
  type Report,
  type Row,
  scopeOptions,
  type Table,
  tableOf,
  toCommand,
} from '../report.ts';
import { dayOf } from '../weeks.ts';
import { colourOf, drawChart, seriesOf } from './draw-chart.ts';

const numbers = new Intl.NumberFormat('en-US');
const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const times = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** Tables that one glance at their figures explains. */
const NOT_DRAWN: Table['id'][] = ['totals', 'robots', 'completeness', 'gaps', 'via'];

export function printHtml(made: Report): string {
  const report = printableReport(made);
  const tables = report.tables.filter(({ id }) => id !== 'totals');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; font-src data:">
<title>Clicks, ${escapeHtml(periodOf(report))}</title>
<style>
${fontFaces()}${readFileSync(new URL('./report.css', import.meta.url), 'utf8')}</style>
</head>
<body>
<header>
<h1>Clicks</h1>
<p>${periodOf(report)}. Days and hours are UTC.</p>
<p class="when">Everything that the servers had received by ${times.format(report.asOf)}.</p>
${keyFigures(report)}
</header>
<main>
${tables.map((table) => section(report, table)).join('\n')}
${unknownSection(report)}
</main>
${footer(report)}
</body>
</html>
`;
}

function periodOf({ since, until }: Report): string {
  const [first, last] = [dayOf(since), dayOf(until - 1)];
  const from = dates.format(since);
  return first === last ? from : `${from} to ${dates.format(Date.parse(last))}`;
}

/** The type of the site, if its fonts are there. */
function fontFaces(): string {
  const fonts = new URL('../../../renderer/fonts/', import.meta.url);
  const face = (family: string, weight: string, file: string) => {
    const path = new URL(file, fonts);
    if (!existsSync(path)) return '';
    const data = readFileSync(path).toString('base64');
    return `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff2;base64,${data}) format("woff2")}\n`;
  };
  return (
    face('Newsreader', '480', 'newsreader-display.woff2') +
    face('Atkinson Hyperlegible Next', '400 700', 'atkinson-text.woff2')
  );
}

function keyFigures(report: Report): string {
  const totals = tableOf(report, 'totals');
  if (!totals) return '';
  const items = totals.rows.map(
    ({ label, cells }) =>
      `<div><dt>${escapeHtml(label)}</dt><dd>${figure(cells[0] ?? null)}</dd></div>`,
  );
  const commands = totals.rows.flatMap((row) =>
    commandsOf(report, totals, row).map((command) => [row.label, command] as const),
  );
  return `<dl class="key">${items.join('')}</dl>
<p class="note">${escapeHtml(totals.note)}</p>
${commands.length === 0 ? '' : `<details><summary>The lines of these figures</summary>${commandList(commands)}</details>`}`;
}

function section(report: Report, table: Table): string {
  const isDrawn = !NOT_DRAWN.includes(table.id);
  const drawing = isDrawn ? drawingOf(table) : '';
  return `<section aria-labelledby="${table.id}">
<h2 id="${table.id}">${escapeHtml(table.title)}</h2>
<div class="pair${drawing ? ' drawn' : ''}">${drawing}
<div><div class="scroll ${table.id}" role="region" aria-label="${escapeHtml(table.title)}, table" tabindex="0">${tableHtml(report, table)}</div>
${table.note ? `<p class="note">${escapeHtml(table.note)}</p>` : ''}</div></div>
</section>`;
}

function drawingOf(table: Table): string {
  const [wide, narrow] = [drawChart(table, 'wide'), drawChart(table, 'narrow')];
  if (!wide || !narrow) return '';
  const series = seriesOf(table).map(
    (name, i) => `<li style="--series:${colourOf(i)}">${escapeHtml(name)}</li>`,
  );
  const legend = series.length > 0 ? `<figcaption><ul>${series.join('')}</ul></figcaption>` : '';
  return `<figure>${legend}${wide}${narrow}</figure>`;
}

function tableHtml(report: Report, table: Table): string {
  const hasCommands = table.rows.some((row) => commandsOf(report, table, row).length > 0);
  const head = [
    `<th scope="col">${escapeHtml(table.of)}</th>`,
    ...table.columns.map(({ title }) => `<th scope="col" class="n">${breakable(title)}</th>`),
    ...(hasCommands ? ['<th scope="col">Lines</th>'] : []),
  ];
  const rows = table.rows.map((row) => {
    const cells = row.cells.map((n) => `<td class="n">${figure(n)}</td>`);
    const lines = hasCommands ? [`<td>${linesCell(report, table, row)}</td>`] : [];
    return `<tr class="${row.kind}"><th scope="row">${escapeHtml(row.label)}${hintOf(row)}</th>${[...cells, ...lines].join('')}</tr>`;
  });
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>\n${rows.join('\n')}\n</tbody></table>`;
}

const hintOf = ({ hint }: Row) =>
  hint === undefined ? '' : `<span class="hint">${escapeHtml(hint)}</span>`;

/** The row's options, and behind them the command of each of its figures. */
function linesCell(report: Report, table: Table, row: Row): string {
  const commands = commandsOf(report, table, row);
  if (commands.length === 0) return '';
  const own = row.options.map(quoted).join(' ');
  // A part of a quoted value would be a command with an open quote.
  const short = own.length > 32 ? `${row.options[0]?.split('=')[0]} …` : own;
  const pairs = commands.map((command, i) => [table.columns[i]?.title ?? '', command] as const);
  return `<details><summary><code>${escapeHtml(short || 'all')}</code></summary>${commandList(pairs)}</details>`;
}

function commandsOf(report: Report, { columns }: Table, row: Row): string[] {
  return columns.flatMap((column) => {
    const options = optionsOf(report, row, column);
    return options ? [toCommand(options)] : [];
  });
}

const commandList = (pairs: readonly (readonly [string, string])[]) =>
  `<dl>${pairs.map(([name, command]) => `<dt>${escapeHtml(name)}</dt><dd><code>${escapeHtml(command)}</code></dd>`).join('')}</dl>`;

const unknownSection = ({ unknown }: Report) =>
  unknown.length === 0
    ? ''
    : `<section aria-labelledby="unknown"><h2 id="unknown">Not known here</h2>${unknown.map((text) => `<p>${escapeHtml(text)}</p>`).join('')}</section>`;

function footer(report: Report): string {
  if (report.isShared)
    return '<footer><p>For readers outside: figures about single sources that are small are left out.</p></footer>';
  return `<footer><h2>The lines of a figure</h2>
<p>Each row names its options. Add them to this command, and <code>--robots only</code> for robots or <code>--event NAME</code> for a call to action:</p>
<p><code>${escapeHtml(toCommand(scopeOptions(report)))}</code></p></footer>`;
}

const figure = (n: number | null) =>
  n === null ? '<span aria-label="hidden">–</span>' : numbers.format(n);

/** Long names of events may break after an underscore. */
const breakable = (text: string) => escapeHtml(text).replaceAll('_', '_<wbr>');

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`);
