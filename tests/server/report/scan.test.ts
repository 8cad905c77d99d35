import { join } from 'node:path';
import { isbot } from 'isbot';
import { expect, test } from 'vitest';
import { parseLine } from '../../../server/clicks/ledger/parse-line.ts';
import { nameCampaign } from '../../../server/report/engine/line-values.ts';
import { scanLedgers } from '../../../server/report/engine/scan.ts';
import type { Filter } from '../../../server/report/engine/select.ts';
import { AGES, GROUPS } from '../../../server/report/engine/tally.ts';
import { allLines, makeOddLedgers, REPORT_END } from '../../helpers/server/report-ledger.ts';
import { makeDataDir } from '../../helpers/server/server-app.ts';

const DAY_MS = 86_400_000;
const PERIOD = { from: REPORT_END - 15 * DAY_MS, to: REPORT_END };
const SPLIT = REPORT_END - 4 * DAY_MS;
const UNTIL = REPORT_END - 2 * DAY_MS;
const ALL: Filter = { ...PERIOD, texts: {}, robots: 'all', duplicates: false };

/** Counts with JSON.parse, a Map and nothing else. */
function countSlowly(folders: readonly string[], until: number) {
  const lines = allLines(folders).map((text) => ({ text, click: parseLine(text) }));
  const clicks = new Map<string, { text: string; at: number }>();
  const repeated: number[] = [];
  for (const { text, click } of lines) {
    if (!click) continue;
    const at = Date.parse(click.received_at);
    if (at > until) continue;
    const id = click.id.toLowerCase();
    const other = clicks.get(id);
    if (other) repeated.push(Math.max(at, other.at));
    if (!other || at < other.at) clicks.set(id, { text, at });
  }
  const kept = [...clicks.values()].filter(({ at }) => at >= PERIOD.from && at < PERIOD.to);
  const counts: Record<string, number> = {};
  for (const { text, at } of kept) {
    const click = parseLine(text);
    if (!click) throw new Error('It was a click before');
    const isListed = isbot(click.user_agent);
    const kind = click.is_bot ? (isListed ? 1 : 3) : isListed ? 2 : 0;
    const delay = Date.parse(click.sent_at ?? '') - Date.parse(click.timestamp);
    const made = at - (delay > 0 ? delay : 0);
    const age = at <= SPLIT ? 0 : made <= SPLIT ? 1 : 2;
    const group = kind * AGES + age;
    const bump = (name: string, value: string) => {
      const key = `${name}|${value}|${group}`;
      counts[key] = (counts[key] ?? 0) + 1;
    };
    bump('total', '');
    bump('day', String(Math.floor((at - PERIOD.from) / DAY_MS)));
    bump('hour', String(new Date(at).getUTCHours()));
    bump('event', click.event);
    bump('ref', click.referrer ?? '');
    bump('campaign', nameCampaign(click.campaign));
    bump('domain', click.referring_domain ?? '');
    bump('device', click.is_mobile === undefined ? '0' : click.is_mobile ? '1' : '2');
    bump('screen', String(['', 'small', 'medium', 'large'].indexOf(click.screen_class ?? '')));
    bump('via', String(['', 'fetch', 'beacon', 'ping'].indexOf(click.via ?? '')));
    if (click.private) bump('private', '');
  }
  const inPeriod = repeated.filter((at) => at >= PERIOD.from && at < PERIOD.to).length;
  const unreadable = lines.filter(({ click }) => !click).length;
  return { counts, texts: kept.map(({ text }) => text).sort(), inPeriod, unreadable };
}

const OTHER = { screen: 4, via: 4 };

test.each([
  [1, 0],
  [2, 2],
  [3, 1],
])(
  'counts ledgers with odd lines as JSON.parse and a Map do (seed %i, %i threads)',
  async (seed, threads) => {
    const folders = makeOddLedgers(makeDataDir(), seed * 7919, 3000);
    const paths = folders.map((folder) => join(folder, 'clicks.jsonl'));
    const slow = countSlowly(folders, UNTIL);
    const question = { tally: { ...PERIOD, split: SPLIT }, filter: ALL };
    await scanLedgers(
      paths,
      { until: UNTIL, threads, question },
      ({ tally, texts, places, unreadable }) => {
        if (!tally) throw new Error('There must be a tally');
        const counts: Record<string, number> = {};
        const take = (name: string, values: Float64Array, label: (code: number) => string) => {
          for (const [i, n] of values.entries()) {
            if (n > 0) counts[`${name}|${label(Math.floor(i / GROUPS))}|${i % GROUPS}`] = n;
          }
        };
        take('total', tally.total, () => '');
        take('private', tally.private, () => '');
        for (const name of ['day', 'hour', 'device'] as const) take(name, tally.by[name], String);
        for (const name of ['event', 'ref', 'campaign', 'domain'] as const)
          take(name, tally.by[name], (code) => texts[name][code] as string);
        for (const name of ['screen', 'via'] as const)
          take(name, tally.by[name], (code) => String(code === OTHER[name] ? -1 : code));
        expect(counts).toEqual(slow.counts);
        expect(tally.duplicates[0] ?? 0).toBeGreaterThan(0);
        expect((tally.duplicates[0] ?? 0) + (tally.duplicates[1] ?? 0)).toBe(slow.inPeriod);
        expect(unreadable).toBe(slow.unreadable);
        expect(places.reduce((sum, { length }) => sum + length, 0)).toBe(slow.texts.length);
      },
    );
  },
);
