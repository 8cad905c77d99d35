/** Draws a night as one SVG: every click a dot, the disasters as bands, and below the count. */
import type { Night } from '../night/play-night.ts';
import { isClean, type Verdict } from '../night/verdict.ts';
import { drawAlerts } from './alerts.ts';
import { LANES } from './dots.ts';
import { type Drawn, drawLanes, secondsOf } from './lanes.ts';
import * as style from './style.ts';
import { quiet, text } from './text.ts';

const FOOT_PX = 144;
const numbers = new Intl.NumberFormat('en-US');
export const count = (n: number, one: string, many = `${one}s`) =>
  `${numbers.format(n)} ${n === 1 ? one : many}`;

export function drawNight(night: Night): string {
  const lanes = drawLanes(night);
  const alerts = drawAlerts(night, lanes);
  const height = lanes.height + alerts.height + FOOT_PX;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${style.WIDTH} ${height}" role="img" font-family="system-ui, sans-serif" font-size="13">`,
    `<title>${title(night)}</title>`,
    `<rect width="${style.WIDTH}" height="${height}" fill="${style.PAPER}"/>`,
    `<g fill="none" stroke-linecap="round">${lanes.elements}</g>`,
    ...head(),
    ...disasterNames(night, lanes),
    ...LANES.flatMap((lane) => legendOf(lane, lanes)),
    ...minutes(night, lanes),
    ...alerts.elements,
    ...verdictLines(night.verdict, lanes.height + alerts.height),
    '</svg>\n',
  ].join('\n');
}

const title = ({ journeys, struck, verdict }: Night) =>
  `${count(journeys.length, 'click')} during ${count(struck.length, 'disaster')}: lost ${verdict.lost.length}, twice ${verdict.twice.length}`;

const head = () => [
  text(24, 38, 'A night of disasters', 'font-size="24" font-weight="600"'),
  text(
    24,
    62,
    'Each dot is a click. Across: when the visitor made it. Up: how long it then took to arrive.',
    `font-size="14" ${quiet}`,
  ),
];

function disasterNames({ struck, from }: Night, { xOf }: Drawn): string[] {
  return struck.flatMap(({ label, from: begin, to }) => {
    const middle = xOf(((begin + to) / 2 - from) / 1000);
    const centred = 'text-anchor="middle" font-weight="600"';
    return label.map((words, i) => text(middle, style.TOP - 22 + i * 16, words, centred));
  });
}

function legendOf(lane: (typeof LANES)[number], { laneOf }: Drawn): string[] {
  const { top, height } = laneOf(lane);
  if (Number.isNaN(top)) return [];
  const { name, kinds } = style.LEGEND[lane];
  const first = top + height / 2 - kinds.length * 9;
  return [
    text(24, first, name, 'font-size="16" font-weight="600"'),
    ...kinds.flatMap(([kind, words], i) => {
      const y = first + 20 + i * 18;
      return [
        `<circle cx="29" cy="${y - 4}" r="4" fill="${style.COLOURS[kind]}"/>`,
        text(40, y, words, quiet),
      ];
    }),
  ];
}

function minutes(night: Night, { xOf, height }: Drawn): string[] {
  const seconds = secondsOf(night);
  const step = seconds > 150 ? 60 : 5;
  const marks = Array.from({ length: Math.floor(seconds / step) + 1 }, (_, i) => i * step);
  const unit = step === 60 ? 'min' : 's';
  return marks.map((mark) => {
    const words = `${step === 60 ? mark / 60 : mark} ${unit}`;
    return text(xOf(mark), height - 12, words, `text-anchor="middle" ${quiet}`);
  });
}

function verdictLines(verdict: Verdict, top: number): string[] {
  const colour = `style="fill:${isClean(verdict) ? style.COLOURS.atOnce : style.ALARM}"`;
  const { clicks, lost, twice, completed, registrations, mailsLost, mailsTwice } = verdict;
  return [
    text(
      24,
      top + 60,
      `lost ${lost.length}, twice ${twice.length}`,
      `font-size="36" font-weight="700" ${colour}`,
    ),
    text(
      24,
      top + 92,
      `${count(clicks, 'click')}, compared one by one in the three ledgers, the index and PostHog. The server brought ${numbers.format(completed)} of them to PostHog.`,
      'font-size="14"',
    ),
    text(
      24,
      top + 114,
      `${count(registrations, 'registration')}: mails lost ${mailsLost.length}, twice ${mailsTwice.length}.`,
      'font-size="14"',
    ),
  ];
}
