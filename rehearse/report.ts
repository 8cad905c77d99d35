/** Writes a night's figures as text: a summary for the terminal, and the page in docs/results. */
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { shippedRules } from '../tests/helpers/server/alert-files.ts';
import { FASTER } from './layout/alerting.ts';
import type { Night, Struck } from './night/play-night.ts';
import type { Verdict } from './night/verdict.ts';
import { count } from './picture/draw-night.ts';

/** Names of lost and repeated clicks that are printed. */
const NAMED = 10;

export function summaryOf({ journeys, struck, skipped, verdict }: Night): string {
  const { lost, twice, mailsLost, mailsTwice, registrations } = verdict;
  return [
    `${count(journeys.length, 'click')} during ${count(struck.length, 'disaster')}: lost ${lost.length}, twice ${twice.length}`,
    `${count(registrations, 'mail')}: lost ${mailsLost.length}, twice ${mailsTwice.length}`,
    ...[...lost, ...twice, ...mailsLost, ...mailsTwice].slice(0, NAMED).map((line) => `  ${line}`),
    ...skipped.map((line) => `Not played: ${line}`),
  ].join('\n');
}

interface Options {
  /** The picture's file. */
  picture: string;
  results: string;
  short: boolean;
}

/** The page of docs/results, in Markdown. */
export function reportOf(night: Night, { picture, results, short }: Options): string {
  const day = new Date(night.from).toISOString().slice(0, 10);
  const image = relative(results.replace(/[^/]*$/, ''), picture);
  return `# A night of disasters

\`\`\`sh
npm run rehearse${short ? ' -- --short' : ''}
\`\`\`

The shipped layout on one machine: nginx with the shipped configuration, three servers with the command of the systemd unit and their own \`DATA_DIR\`, PostgreSQL and Redis. PostHog
and the SMTP server are the tests' own. Visitors run the page's real outbox and delivery code, each from an address of its own.

![Every click of the night as a dot, with the disasters as bands](${image})

Measured on ${day}, ${availableParallelism()} cores beside other work, in ${((night.to - night.from) / 60_000).toFixed(1)} minutes.

${verdictTable(night.verdict)}

| disaster | what happened | from second | for, s | clicks made | longest wait until on the disk, s |
|---|---|---:|---:|---:|---:|
${night.struck.map((struck) => disasterRow(struck, night)).join('\n')}

${alertsTable(night)}

${notes(night)}
`;
}

function verdictTable(verdict: Verdict): string {
  const { clicks, lost, twice, inTwoLedgers, completed } = verdict;
  const rows: [string, number][] = [
    ['clicks', clicks],
    ['**lost**: missing in the ledgers, the index or PostHog', lost.length],
    ['**twice**: in a ledger, in the counters or at PostHog', twice.length],
    [
      'clicks in two ledgers, because nginx asked a second server; the index counts each once',
      inTwoLedgers,
    ],
    ['clicks that the server brought to PostHog, because the browser did not', completed],
    ['registrations', verdict.registrations],
    ['mails lost', verdict.mailsLost.length],
    ['mails twice', verdict.mailsTwice.length],
  ];
  return `| | number |\n|---|---:|\n${rows.map(([name, n]) => `| ${name} | ${n} |`).join('\n')}`;
}

function disasterRow({ label, what, from, to }: Struck, night: Night): string {
  const { journeys } = night;
  const during = journeys.filter(({ madeAt }) => madeAt >= from && madeAt < to);
  const waits = during.map(({ madeAt, onDiskAt }) => ((onDiskAt ?? madeAt) - madeAt) / 1000);
  const longest = Math.max(0, ...waits).toFixed(1);
  const [begin, seconds] = [from - night.from, to - from].map((ms) => (ms / 1000).toFixed(0));
  const cells = [label.join(' '), what, begin, seconds, during.length, longest];
  return `| ${cells.join(' | ')} |`;
}

function alertsTable({ alerts, from }: Night): string {
  if (alerts === null) return 'Prometheus is not installed here, so no alert could fire.';
  const second = (at: number) => ((at - from) / 1000).toFixed(0);
  const fired = alerts.filter(({ state }) => state === 'firing');
  const names = new Set(fired.map(({ alert }) => alert));
  const rows = fired
    .toSorted((a, b) => a.from - b.from)
    .map(({ alert, from: begin, to }) => `| ${alert} | ${second(begin)} | ${second(to)} |`);
  const silent = shippedRules().filter(({ alert }) => !names.has(alert));
  return `Which alert fired when, in seconds since the night began. Prometheus used the shipped rules, with their waiting times divided by ${FASTER}: \`for: 1m\` became ${60 / FASTER} s. So
a restart of a second can fire SiteServerDown here. SiteDiskFillsUp is right, because this load would fill the small disk within a day.

| alert | fired at | over at |
|---|---:|---:|
${rows.join('\n')}

Did not fire: ${silent.map(({ alert }) => alert).join(', ')}.`;
}

function notes({ answers, skipped }: Night): string {
  const words = answers
    .toSorted(([a], [b]) => a - b)
    .map(([status, n]) => `${n} × ${status === 0 ? 'no answer' : status}`);
  return [
    `Answers to clicks and events: ${words.join(', ')}. Browsers kept each click until a 200 named its id.

A wait of minutes is a page that stayed open: its pauses double up to five minutes. A visitor who comes back to the page ends the pause.`,
    ...skipped.map((line) => `Not played: ${line}.`),
  ].join('\n\n');
}
