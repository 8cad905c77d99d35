/** CLICK_RETENTION_DAYS and REJECTED_RETENTION_DAYS. The test moves the clock. */
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { postClick } from '../../../helpers/server/post-click.ts';
import { runCli } from '../../../helpers/server/run-cli.ts';
import { makeBody, makeDataDir, startApp } from '../../../helpers/server/server-app.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const env = { CLICK_RETENTION_DAYS: '10', REJECTED_RETENTION_DAYS: '10' };
const clock = { now: () => Date.now(), monotonic: () => Date.now() };

type Site = Awaited<ReturnType<typeof startApp>>;
const start = (dataDir = makeDataDir()) => startApp({ env, clock, dataDir });
const ledgers = (site: Site) =>
  readdirSync(site.config.dataDir)
    .filter((name) => name.startsWith('clicks.jsonl'))
    .sort();
const total = async (site: Site) =>
  (await site.app.inject('/api/stats')).json().clicks.total as number;
const said = (site: Site) => site.logged().map(({ msg }) => String(msg));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  vi.setSystemTime('2027-11-01T12:00:00Z');
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the ledger', () => {
  test('is rotated daily; a file is deleted when its newest line is too old, and the totals stay', async () => {
    const site = await start();
    const first = await postClick(site, makeBody());
    vi.advanceTimersByTime(DAY_MS);
    await expect.poll(() => ledgers(site)).toEqual(['clicks.jsonl', 'clicks.jsonl-20271102']);
    await postClick(site, makeBody());
    vi.advanceTimersByTime(DAY_MS);
    await expect.poll(() => ledgers(site)).toHaveLength(3);
    expect(site.lines()).toEqual([]);

    vi.setSystemTime('2027-11-11T11:00:00Z');
    vi.advanceTimersByTime(HOUR_MS - 1);
    await expect.poll(() => said(site).filter((text) => /^Deleted/.test(text))).toEqual([]);
    vi.advanceTimersByTime(2 * HOUR_MS);
    await expect.poll(() => ledgers(site)).toEqual(['clicks.jsonl', 'clicks.jsonl-20271103']);
    expect(said(site)).toContainEqual(
      expect.stringMatching(
        /^Deleted .*clicks\.jsonl-20271102: its 1 clicks are older than 10 days$/,
      ),
    );
    expect(await total(site)).toBe(2);
    // A browser that did not get the answer sends the click again. The index still knows its id.
    const again = await postClick(site, makeBody({ id: first.json().id }));
    expect(again.json().status).toBe('duplicate');

    await site.close();
    const after = await start(site.config.dataDir);
    expect(await total(after)).toBe(2);
  });

  test('after a deletion makes an index that is reported to lack clicks, at a start and by rebuild', async () => {
    const site = await start();
    await postClick(site, makeBody());
    vi.advanceTimersByTime(DAY_MS);
    await expect.poll(() => ledgers(site)).toHaveLength(2);
    await postClick(site, makeBody());
    vi.advanceTimersByTime(9.6 * DAY_MS);
    await expect.poll(() => ledgers(site)).toEqual(['clicks.jsonl', 'clicks.jsonl-20271112']);
    await site.close();
    const missing =
      'The statistics lack 1 clicks of 2027-11-01 to 2027-11-01: CLICK_RETENTION_DAYS has deleted their ledger files';

    rmSync(site.config.files.clickIndex);
    const again = await start(site.config.dataDir);
    expect(await total(again)).toBe(1);
    await expect.poll(() => said(again).join()).toContain(missing);
    await again.close();
    // Reported when it happens, not at every start.
    const later = await start(site.config.dataDir);
    expect(said(later).join()).not.toContain('The statistics lack');
    await later.close();
    const { out } = await runCli('clicks.ts', ['rebuild'], { DATA_DIR: site.config.dataDir });
    expect(out).toContain(missing);
  });

  test('keeps every file with a line that is not too old, or has no time', async () => {
    const site = await start();
    await postClick(site, makeBody());
    await site.close();
    const { ledger } = site.config.files;
    const line = readFileSync(ledger, 'utf8');
    const at = (day: string) =>
      line.replace(/"received_at":"[^"]+"/, `"received_at":"${day}T00:00:00.000Z"`);
    const id = (n: number) => (text: string) =>
      text.replace(/"id":"[^"]+"/, `"id":"019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}"`);
    // The clock was set back in the middle of the second file, so that its newest line is not its last.
    writeFileSync(`${ledger}-20260101`, id(1)(at('2026-01-01')));
    writeFileSync(
      `${ledger}-20260102`,
      id(2)(at('2026-01-01')) + id(3)(at('2027-10-31')) + id(4)(at('2026-01-02')),
    );
    writeFileSync(`${ledger}-20260103.gz`, gzipSync(id(5)(at('2026-01-03'))));
    writeFileSync(`${ledger}-20260104`, `${id(6)(at('2026-01-04'))}no click\n`);
    for (const name of readdirSync(site.config.dataDir)) {
      if (name.startsWith('clicks.jsonl-'))
        utimesSync(
          `${site.config.dataDir}/${name}`,
          new Date('2026-01-05'),
          new Date('2026-01-05'),
        );
    }
    rmSync(site.config.files.clickIndex);
    const again = await start(site.config.dataDir);
    await expect
      .poll(() => ledgers(again))
      .toEqual(['clicks.jsonl', 'clicks.jsonl-20260102', 'clicks.jsonl-20260104']);
    expect(said(again)).toContainEqual(
      expect.stringMatching(/clicks\.jsonl-20260104 is kept: 1 of its lines do not say when/),
    );
    expect(await total(again)).toBe(7);
  });

  test('is neither rotated nor deleted by default, nor while the clock is ahead', async () => {
    const site = await startApp({ clock });
    await postClick(site, makeBody());
    vi.advanceTimersByTime(30 * DAY_MS);
    expect(await site.data.clock.now()).toBe(Date.now());
    expect(ledgers(site)).toEqual(['clicks.jsonl']);
    await site.close();

    const { dataDir, files } = site.config;
    renameSync(files.ledger, `${files.ledger}-20271101`);
    let aheadMs = 400 * DAY_MS;
    const wrong = { now: () => Date.now() + aheadMs, monotonic: () => Date.now() };
    const again = await startApp({ env, clock: wrong, dataDir });
    await expect.poll(() => said(again).join()).toContain('nothing is deleted');
    vi.advanceTimersByTime(2 * HOUR_MS);
    expect(ledgers(again)).toEqual(['clicks.jsonl', 'clicks.jsonl-20271101']);
    // The clock is right again, and the file is too old.
    aheadMs = 0;
    vi.advanceTimersByTime(HOUR_MS);
    await expect.poll(() => ledgers(again)).toEqual(['clicks.jsonl']);
  });
});

test('old rejected bodies are deleted line by line, in both files, and new ones are kept meanwhile', async () => {
  const site = await start();
  const { rejectedBodies } = site.config.files;
  await postClick(site, makeBody({ event: 'first\u2028line' }));
  await site.rejected();
  renameSync(rejectedBodies, `${rejectedBodies}.1`);
  vi.advanceTimersByTime(5 * DAY_MS);
  await postClick(site, makeBody({ event: 'second' }));
  await site.rejected();
  appendFileSync(rejectedBodies, 'no entry\n');
  const events = () =>
    [`${rejectedBodies}.1`, rejectedBodies].flatMap((file) =>
      existsSync(file)
        ? (readFileSync(file, 'utf8').match(/first|second|third|no entry/g) ?? [])
        : [],
    );
  expect(events()).toEqual(['first', 'second', 'no entry']);
  vi.advanceTimersByTime(5 * DAY_MS + HOUR_MS);
  await expect.poll(events).toEqual(['second', 'no entry']);
  vi.advanceTimersByTime(5 * DAY_MS);
  await postClick(site, makeBody({ event: 'third' }));
  await expect.poll(events).toEqual(['no entry', 'third']);
  expect(said(site)).toContain('Removed 1 rejected bodies older than 10 days');
});
