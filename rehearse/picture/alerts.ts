/** Draws which alert fired when: a row for each alert of the night. */
import type { Night } from '../night/play-night.ts';
import { type Drawn, secondsOf } from './lanes.ts';
import * as style from './style.ts';
import { quiet, text } from './text.ts';

const ROW_PX = 22;
const TITLE_PX = 30;
const BAR_PX = 10;

/** @returns no elements if Prometheus was not there */
export function drawAlerts(night: Night, { xOf, height: top }: Drawn) {
  const { alerts, struck, from, lastClickAt } = night;
  if (alerts === null) return { height: 0, elements: [] };
  const fired = alerts.filter(({ state }) => state === 'firing');
  const names = [...new Set(fired.toSorted((a, b) => a.from - b.from).map(({ alert }) => alert))];
  const pixel = (at: number) => xOf(Math.min(secondsOf(night), Math.max(0, (at - from) / 1000)));
  const height = TITLE_PX + names.length * ROW_PX;
  const bands = struck.map(({ from: begin, to }) => {
    const [left, right] = [pixel(begin), pixel(to)];
    return `<rect x="${left.toFixed(1)}" y="${top + TITLE_PX - 6}" width="${(right - left).toFixed(1)}" height="${height - TITLE_PX + 6}" fill="${style.BAND}"/>`;
  });
  const bars = alerts
    .filter(({ alert, from: begin }) => names.includes(alert) && begin < lastClickAt)
    .map((span) => {
      const y = top + TITLE_PX + names.indexOf(span.alert) * ROW_PX;
      const [left, right] = [pixel(span.from), pixel(span.to)];
      const opacity = span.state === 'firing' ? 1 : 0.35;
      const width = Math.max(2, right - left).toFixed(1);
      return `<rect x="${left.toFixed(1)}" y="${y}" width="${width}" height="${BAR_PX}" fill="${style.ALARM}" opacity="${opacity}"/>`;
    });
  return {
    height,
    elements: [
      text(24, top + 16, 'alerts', 'font-size="16" font-weight="600"'),
      text(style.LEFT, top + 16, 'pale: the condition holds; full: the alert fires', quiet),
      ...bands,
      ...bars,
      ...names.map((name, i) => text(24, top + TITLE_PX + i * ROW_PX + BAR_PX, name)),
    ],
  };
}
