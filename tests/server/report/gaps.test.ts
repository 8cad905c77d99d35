import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { scanLedgers } from '../../../server/report/engine/scan.ts';
import { readReport } from '../../../server/report/read-report.ts';
import { randomFrom } from '../../helpers/server/report-ledger.ts';
import { makeDataDir } from '../../helpers/server/server-app.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const DAYS = 9;

interface Made {
  line: string;
  day: string;
  isBot: boolean;
  isLost: boolean;
}

/** Makes visits of one to six clicks, and loses some of these. */
function makeVisits(count: number, random: () => number): Made[][] {
  let clicks = 0;
  const hex = (n: number) => Math.floor(n).toString(16).padStart(12, '0');
  return Array.from({ length: count }, () => {
    const visit = `019c1234-5678-7abc-8def-${hex(random() * 2 ** 48)}`;
    const start = START + random() * (DAYS - 1) * DAY_MS;
    const isBot = random() < 0.1;
    return Array.from({ length: 1 + Math.floor(random() ** 2 * 6) }, (_, i) => {
      clicks += 1;
      const received = new Date(start + i * 5 * 3_600_000).toISOString();
      const line = {
        ...{ id: `019c1234-5678-7abc-8def-${hex(clicks)}`, visit_id: visit, seq: i + 1 },
        ...{ event: 'hero_cta_click', referrer: null, timestamp: received },
        ...{
          page_url: 'https://site.example/',
          user_agent: isBot ? 'Googlebot/2.1' : 'Mozilla/5.0',
        },
        ...{ is_bot: isBot, received_at: received },
      };
      return {
        ...{ line: `${JSON.stringify(line)}\n`, day: received.slice(0, 10) },
        isBot,
        isLost: random() < 0.1,
      };
    });
  });
}

/** The losses of people before the last click of a visit that arrived, on the day of the next one that did. */
function provenLosses(visits: Made[][]): Record<string, number> {
  const perDay: Record<string, number> = {};
  for (const visit of visits) {
    for (const [i, click] of visit.entries()) {
      const next = visit.slice(i + 1).find(({ isLost }) => !isLost);
      if (click.isLost && next && !click.isBot) perDay[next.day] = (perDay[next.day] ?? 0) + 1;
    }
  }
  return perDay;
}

test('the report counts exactly the losses that the numbers of visits prove, also in several files and with repeated lines', async () => {
  const random = randomFrom(77);
  const visits = makeVisits(3000, random);
  const arrived = visits.flat().filter(({ isLost }) => !isLost);
  // In no order, one in seven twice, and in two files.
  const lines = [...arrived, ...arrived.filter((_, i) => i % 7 === 0)]
    .map(({ line }) => ({ line, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line);
  const dataDir = makeDataDir();
  const ledger = join(dataDir, 'clicks.jsonl');
  writeFileSync(`${ledger}-20260105.gz`, gzipSync(lines.slice(0, 2000).join('')));
  writeFileSync(ledger, lines.slice(2000).join(''));

  const truth = provenLosses(visits);
  expect(Object.keys(truth).length).toBeGreaterThan(DAYS - 2);
  const period = { from: START, to: START + DAYS * DAY_MS, split: START + DAYS * DAY_MS };
  const question = { tally: period, filter: null, gaps: true };
  for (const threads of [0, 2]) {
    const scan = { until: period.to, question, threads };
    const lost = await scanLedgers([ledger], scan, ({ lostPerDay }) => lostPerDay);
    expect(Object.fromEntries(lost ?? [])).toEqual(truth);
  }

  const report = await readReport({
    ...{ dataDir, folders: [], since: START + 2 * DAY_MS, until: period.to, asOf: period.to },
    ...{ top: 3, isShared: false, receipts: null, warn: () => {} },
  });
  const table = report.tables.find(({ id }) => id === 'gaps');
  const wanted = Object.entries(truth)
    .filter(([day]) => day >= '2026-01-03')
    .sort();
  const rows = table?.rows.map(({ label, cells }) => [label, cells[0]]);
  const sum = wanted.reduce((all, [, lost]) => all + lost, 0);
  expect(rows).toEqual([...wanted, ['All', sum]]);
});

test('without numbered clicks there is no such table', async () => {
  const dataDir = makeDataDir();
  const [visit = []] = makeVisits(1, () => 0.5);
  const first = visit.slice(0, 1).map(({ line }) => line);
  writeFileSync(join(dataDir, 'clicks.jsonl'), first.join(''));
  const report = await readReport({
    ...{ dataDir, folders: [], since: START, until: START + DAYS * DAY_MS, asOf: Date.now() },
    ...{ top: 3, isShared: false, receipts: null, warn: () => {} },
  });
  expect(report.tables.map(({ id }) => id)).not.toContain('gaps');
});
