import { spawn } from 'node:child_process';
import { copyFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { describe, expect, onTestFinished, test } from 'vitest';
import { line, makeLedger, TODAY } from '../helpers/server/ledger-lines.ts';
import { makeDataDir, startApp } from '../helpers/server/server-app.ts';

function start(args: string[], env: Record<string, string>, cwd: string) {
  const child = spawn(process.execPath, [resolve('cli/clicks.ts'), ...args], {
    env: { ...process.env, ...env },
    cwd,
  });
  onTestFinished(() => void child.kill());
  return child;
}

async function run(args: string[], env: Record<string, string> = {}, cwd = '.') {
  const child = start(args, env, cwd);
  const read = (stream: NodeJS.ReadableStream) =>
    Array.fromAsync(stream).then((parts) => parts.join(''));
  const [out, err, code] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  return { out, err, code };
}

describe('the command', () => {
  test('explains itself', async () => {
    const help = await run(['--help']);
    expect(help.code).toBe(0);
    for (const name of ['tail', 'grep', 'verify', 'report', 'lines', 'rebuild', 'replay'])
      expect(help.out).toContain(name);
  });

  test.each([
    [[], 'Name a command'],
    [['count'], 'There is no command "count"'],
    [['report', '--days', 'x'], '--days must be a whole number'],
    [['report', '--day', '3'], "Unknown option '--day'"],
    [['report', 'now'], 'Unexpected argument "now"'],
    [['replay'], '--key must be a PostHog project key'],
    [['replay', '--key', 'phc_x', '--since', 'monday'], '--since must be an ISO 8601 time'],
    [['replay', '--key', 'phc_x', '--limit', '0'], '--limit must be a whole number'],
    [['replay', '--key', 'phc_x', '--json'], '--json belongs to --dry-run'],
  ])('names the fault of the arguments %j', async (args, message) => {
    const { code, err } = await run(args as string[], { DATA_DIR: makeLedger(line(1)).dataDir });
    expect(code).toBe(2);
    expect(err).toContain(message);
  });

  test('names the path at which it found no ledger', async () => {
    const { code, err } = await run(['report'], { DATA_DIR: makeDataDir() });
    expect(code).toBe(1);
    expect(err).toMatch(/There is no ledger at .*clicks\.jsonl/);
  });
});

test('report counts per day, call to action and ref, with robots in a column of their own', async () => {
  const { dataDir, ledger } = makeLedger(
    line(3),
    line(4, { event: 'lower_cta_click', referrer: null }),
    line(5, { is_bot: true }),
    line(6, { referrer: 'evil\u001b[2J' }),
    line(7, { received_at: '2020-01-01T00:00:00.000Z' }),
    'garbage',
  );
  writeFileSync(`${ledger}.1`, `${line(1)}\n${line(2)}\n`);
  const { out } = await run(['report'], { DATA_DIR: dataDir });
  const day = TODAY.slice(0, 10);
  const rows = out.split('\n').map((text) => text.replace(/ {2,}/g, '  '));
  for (const row of [
    'Clicks  5',
    'Robots  1  --robots only',
    'Day (UTC)  Clicks  hero_cta_click  lower_cta_click  Robots  options',
    `${day}  5  4  1  1  --day ${day}`,
    'hero_cta_click  4  1  --event hero_cta_click',
    'lower_cta_click  1  0  --event lower_cta_click',
    'clinic-7  3  3  0  1  --ref clinic-7',
    "(no ref)  1  0  1  0  --ref ''",
    `evil�[2J  1  1  0  0  --ref-json '"evil\\u001b[2J"'`,
  ]) {
    expect(rows).toContain(row);
  }
  expect(out).toContain('Clicks are without robots.');
  expect(out).not.toContain('2020-01-01');
  expect(rows.filter((row) => row.startsWith('20')).length).toBeLessThan(3);
});

describe('report', () => {
  const old = { received_at: '2026-01-05T10:00:00.000Z', sent_at: '2026-01-05T10:00:00.000Z' };
  const made = () =>
    makeLedger(
      line(1, old),
      line(2, { ...old, referrer: 'clinic-8', received_at: '2026-01-20T10:00:00.000Z' }),
    );

  test('--as-of prints the same bytes later, when more has been received', async () => {
    const { dataDir, ledger } = made();
    const args = ['report', '--as-of', '2026-01-31T00:00:00Z'];
    for (const [i, format] of ['text', 'csv', 'jsonl', 'html'].entries()) {
      const first = await run([...args, '--format', format], { DATA_DIR: dataDir });
      renameSync(ledger, `${ledger}-2026020${i}`);
      writeFileSync(ledger, `${line(3)}\n${line(1, { ...old, received_at: TODAY })}\n`);
      const second = await run([...args, '--format', format], { DATA_DIR: dataDir });
      expect(first.out).toContain('clinic-8');
      expect(second.out).toBe(first.out);
    }
  });

  test('--format and the name of --to choose the format', async () => {
    const { dataDir } = made();
    const scope = ['--as-of', '2026-01-31T00:00:00Z'];
    const csv = await run(['report', ...scope, '--format', 'csv'], { DATA_DIR: dataDir });
    expect(csv.out).toContain('ref,clinic-8,value,Clicks,1,');
    const to = join(dataDir, 'report.parquet');
    await run(['report', ...scope, '--to', to], { DATA_DIR: dataDir });
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(to) });
    const jsonl = await run(['report', ...scope, '--format', 'jsonl'], { DATA_DIR: dataDir });
    expect(rows).toEqual(
      jsonl.out
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text)),
    );
    const wrong = await run(['report', '--format', 'pdf'], { DATA_DIR: dataDir });
    expect(wrong).toMatchObject({
      code: 2,
      err: expect.stringContaining('--format must be one of'),
    });
  });

  test('names the lines of a figure, and lines prints them unchanged', async () => {
    const { dataDir } = made();
    const args = ['lines', '--as-of', '2026-01-31T00:00:00Z', '--ref', 'clinic-8'];
    const { out } = await run(args, { DATA_DIR: dataDir });
    expect(JSON.parse(out)).toMatchObject({ referrer: 'clinic-8' });
    const wrong = await run(['lines', '--hour', '24'], { DATA_DIR: dataDir });
    expect(wrong).toMatchObject({
      code: 2,
      err: expect.stringContaining('--hour must be an hour'),
    });
  });
});

test('report counts a click that is also in a copy of the ledger once, and names files that it does not read', async () => {
  const { dataDir, ledger } = makeLedger(line(1), line(2));
  copyFileSync(ledger, `${ledger}.bak`);
  copyFileSync(ledger, `${ledger}.1`);
  const { out, err } = await run(['report'], { DATA_DIR: dataDir });
  expect(out).toMatch(/^Clicks +2$/m);
  expect(err).toContain(`Not read, because no ledger file has such a name: ${ledger}.bak.`);
});

describe('rebuild', () => {
  test('refuses to make an index of several ledgers that servers do not share, or of no ledger', async () => {
    const { dataDir } = makeLedger(line(1));
    const env = { DATA_DIR: makeDataDir() };
    const named = await run(['rebuild', '--ledger', dataDir], { DATA_DIR: dataDir });
    expect(named).toMatchObject({ code: 2, err: expect.stringContaining('set DATABASE_URL') });
    const none = await run(['rebuild'], env);
    expect(none).toMatchObject({ code: 1, err: expect.stringContaining('There is no ledger at') });
    expect([...readdirSync(dataDir), ...readdirSync(env.DATA_DIR)]).toEqual(['clicks.jsonl']);
  });

  test('builds the index again from the ledger', async () => {
    const { dataDir } = makeLedger(line(1), line(2), line(2));
    writeFileSync(join(dataDir, 'site.sqlite'), 'broken');
    const { out, code } = await run(['rebuild'], { DATA_DIR: dataDir });
    expect(code).toBe(0);
    expect(out).toMatch(/^2 clicks are in .*site\.sqlite/);
    const { app, logged } = await startApp({ dataDir });
    expect((await app.inject('/api/stats')).json().clicks.total).toBe(2);
    expect(logged()).toEqual([]);
  });

  test('refuses while the server runs', async () => {
    const site = await startApp();
    const { code, err } = await run(['rebuild'], { DATA_DIR: site.config.dataDir });
    expect(code).toBe(1);
    expect(err).toContain('Another process is writing');
  });
});
