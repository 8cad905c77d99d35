/**
 * Measures ways to count the clicks of large ledgers, one after the other, each in a process of its own.
 *
 *   node bench/report-data.ts FOLDER 2000000 && node bench/report.ts FOLDER [way …]
 */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ledgerClicks } from '../cli/ledger-clicks.ts';
import { scanLedgers } from '../server/report/engine/scan.ts';
import { ScannedLine } from '../server/report/engine/scan-line.ts';

const [folder = '', ...names] = process.argv.slice(2);
const ledgers = readdirSync(folder).map((server) => join(folder, server, 'clicks.jsonl'));

async function scan(threads: number): Promise<number> {
  const [from, to] = [Date.UTC(2026, 9, 1), Date.UTC(2026, 11, 1)];
  const question = { tally: { from, to, split: Number.POSITIVE_INFINITY }, filter: null };
  const options = { until: Number.POSITIVE_INFINITY, threads, question };
  return scanLedgers(ledgers, options, ({ tally }) => tally?.total.reduce((a, b) => a + b, 0) ?? 0);
}

/** Each returns the number of clicks. */
const WAYS: Record<string, () => Promise<number>> = {
  async 'one thread, JSON.parse and zod, ids in SQLite'() {
    const counts = new Map<string, number>();
    let clicks = 0;
    for await (const { received_at, event, referrer } of ledgerClicks(ledgers)) {
      const key = `${received_at.slice(0, 10)} ${event} ${referrer}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
      clicks += 1;
    }
    return clicks;
  },
  async 'one thread, JSON.parse and zod, ids in partitions'() {
    ScannedLine.prototype.scan = () => false;
    return scan(0);
  },
  'one thread, fields read by hand, ids in partitions': () => scan(0),
  'two threads, fields read by hand, ids in partitions': () => scan(2),
};

const [name] = names;
if (names.length === 1 && name && process.env.BENCH_CHILD) {
  const begin = performance.now();
  const clicks = await WAYS[name]?.();
  const seconds = ((performance.now() - begin) / 1000).toFixed(1);
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  const cpu = ((userCPUTime + systemCPUTime) / 1e6).toFixed(1);
  process.stdout.write(
    `| ${name} | ${clicks} | ${seconds} | ${cpu} | ${Math.round(maxRSS / 1024)} |\n`,
  );
} else {
  process.stdout.write('| way | clicks | s | CPU s | MB |\n|---|---:|---:|---:|---:|\n');
  for (const way of names.length > 0 ? names : Object.keys(WAYS)) {
    execFileSync(process.execPath, ['bench/report.ts', folder, way], {
      stdio: 'inherit',
      env: { ...process.env, BENCH_CHILD: '1' },
    });
  }
}
