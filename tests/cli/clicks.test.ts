import { spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { line, makeLedger, TODAY } from '../helpers/server/ledger-lines.ts';
import { makeDataDir, startApp } from '../helpers/server/server-app.ts';

function start(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, ['cli/clicks.ts', ...args], {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void child.kill());
  return child;
}

async function run(args: string[], env: Record<string, string> = {}) {
  const child = start(args, env);
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
    for (const name of ['tail', 'report', 'rebuild', 'replay']) expect(help.out).toContain(name);
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

describe('tail', () => {
  test('prints the last lines', async () => {
    const { dataDir } = makeLedger(...[1, 2, 3].map((n) => line(n)));
    const { out } = await run(['tail', '--lines', '2'], { DATA_DIR: dataDir });
    expect(out).toBe(`${line(2)}\n${line(3)}\n`);
  });

  test('follows the ledger through a rotation', async () => {
    const { dataDir, ledger } = makeLedger(line(1));
    const child = start(['tail', '--follow'], { DATA_DIR: dataDir });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async () => (await lines.next()).value;
    expect(await next()).toBe(line(1));
    appendFileSync(ledger, `${line(2)}\n`);
    expect(await next()).toBe(line(2));
    renameSync(ledger, `${ledger}.1`);
    writeFileSync(ledger, `${line(3)}\n`);
    expect(await next()).toBe(line(3));
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
  expect(out.split('\n')).toEqual([
    'day         event            clicks  bots  ref',
    `${day}  hero_cta_click        3     1  clinic-7`,
    `${day}  hero_cta_click        1     0  evil?[2J`,
    `${day}  lower_cta_click       1     0  -`,
    '',
    '5 clicks without robots; days are UTC.',
    '',
  ]);
});

test('report counts a click that is in two ledgers once', async () => {
  const [a, b] = [makeLedger(line(1), line(2)), makeLedger(line(2), line(3))];
  const { out } = await run(['report', '--ledger', b.dataDir], { DATA_DIR: a.dataDir });
  expect(out).toContain('\n3 clicks without robots');
  const none = await run(['report', '--ledger', makeDataDir()], { DATA_DIR: a.dataDir });
  expect(none.err).toContain('There is no ledger at');
});

test('report counts a click that is also in a copy of the ledger once, and names files that it does not read', async () => {
  const { dataDir, ledger } = makeLedger(line(1), line(2));
  copyFileSync(ledger, `${ledger}.bak`);
  copyFileSync(ledger, `${ledger}.1`);
  const { out, err } = await run(['report'], { DATA_DIR: dataDir });
  expect(out).toContain('\n2 clicks without robots');
  expect(err).toContain(`Not read, because no ledger file has such a name: ${ledger}.bak.`);
});

test('report reads a truncated archive as far as possible, and names it', async () => {
  const { dataDir, ledger } = makeLedger(line(1));
  const packed = gzipSync(`${line(2)}\n`);
  writeFileSync(`${ledger}.1.gz`, packed.subarray(0, packed.length - 4));
  const { out, err, code } = await run(['report'], { DATA_DIR: dataDir });
  expect(code).toBe(0);
  expect(out).toContain('\n2 clicks without robots');
  expect(err).toContain(`${ledger}.1.gz is damaged`);
});

describe('rebuild', () => {
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
