import { spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startListener } from '../helpers/fakes/server-listener.ts';
import { postClick } from '../helpers/server/post-click.ts';
import { makeBody, makeDataDir, startApp } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

const TODAY = new Date().toISOString();

function line(n: number, parts: Record<string, unknown> = {}) {
  return JSON.stringify({
    level: 30,
    id: `019c1234-5678-7abc-8def-${String(n).padStart(12, '0')}`,
    visit_id: '019c1234-5678-7abc-8def-aaaaaaaaaaaa',
    event: 'hero_cta_click',
    referrer: 'clinic-7',
    timestamp: TODAY,
    page_url: 'https://site.example/?ref=clinic-7&secret=1',
    user_agent: 'Mozilla/5.0',
    is_bot: false,
    received_at: TODAY,
    sent_at: TODAY,
    ...parts,
  });
}

function makeLedger(...lines: string[]) {
  const dataDir = makeDataDir();
  const ledger = join(dataDir, 'clicks.jsonl');
  writeFileSync(ledger, lines.map((text) => `${text}\n`).join(''));
  return { dataDir, ledger };
}

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

describe('replay', () => {
  const replay = async (posthog: string, dataDir: string, ...args: string[]) =>
    run(['replay', '--key', 'phc_x', ...args], { DATA_DIR: dataDir, POSTHOG_HOST: posthog });

  test('sends people’s clicks with their own id, visitor and time', async () => {
    const posthog = await startListener();
    const { dataDir } = makeLedger(line(1), line(2, { is_bot: true }), line(3, { event: 'gone' }));
    const { out, code } = await replay(posthog.url, dataDir);
    expect(code).toBe(0);
    expect(out).toBe(`1 events are at ${posthog.url}.\n`);
    expect(posthog.received.map(({ path }) => path)).toEqual(['/batch/']);
    const message = JSON.parse(posthog.received[0]?.body ?? '');
    const { id, visit_id } = JSON.parse(line(1));
    expect(message).toEqual({
      api_key: 'phc_x',
      batch: [
        {
          uuid: id,
          event: 'cta_click',
          distinct_id: visit_id,
          timestamp: TODAY,
          properties: expect.objectContaining({
            $session_id: visit_id,
            category: 'CTA',
            label: 'hero_button',
            value: 1,
            referrer: 'clinic-7',
            event_id: id,
            $current_url: 'https://site.example/',
            $ip: '192.0.2.0',
            $geoip_disable: true,
          }),
        },
      ],
    });
  });

  test('leaves out visitors who asked for privacy, and says how many', async () => {
    const posthog = await startListener();
    const { dataDir } = makeLedger(
      line(1, { remote_ip: '203.0.113.7' }),
      line(2, { remote_ip: null, private: true }),
      line(3, { remote_ip: null, private: true }),
      line(4, { remote_ip: null }),
    );
    const { out } = await replay(posthog.url, dataDir);
    expect(out).toBe(
      `1 events are at ${posthog.url}.\n` +
        'Left out: 2 clicks of visitors who ask for privacy.\n' +
        'Left out: 1 older clicks without an address, whose visitors may have asked for privacy.\n',
    );
    const [message] = posthog.received.map(({ body }) => JSON.parse(body));
    expect(message.batch.map(({ uuid }: { uuid: string }) => uuid)).toEqual([
      JSON.parse(line(1)).id,
    ]);
    expect(posthog.received[0]?.body).not.toContain('203.0.113.7');
  });

  test('with LOG_IP=none leaves out clicks by the field "private" alone, not by a missing address', async () => {
    const posthog = await startListener();
    const { dataDir } = makeLedger(
      line(1, { remote_ip: null }),
      line(2, { remote_ip: null, private: true }),
    );
    const { out } = await run(['replay', '--key', 'phc_x'], {
      DATA_DIR: dataDir,
      POSTHOG_HOST: posthog.url,
      LOG_IP: 'none',
    });
    expect(out).toContain('1 events are at');
    expect(out).toContain('Left out: 1 clicks of visitors who ask for privacy.');
  });

  test('sends a click from a real server with its visit and the label of its call to action', async () => {
    const posthog = await startListener();
    const site = await startApp();
    const { id, visit_id } = JSON.parse(line(1));
    const body = makeBody({ id, visit_id, event: 'lower_cta_click' });
    await postClick(site, body, { 'user-agent': String(body.user_agent) });
    await replay(posthog.url, site.config.dataDir);
    const [message] = posthog.received.map(({ body }) => JSON.parse(body));
    expect(message.batch).toMatchObject([
      { uuid: id, distinct_id: visit_id, properties: { label: 'footer_button' } },
    ]);
  });

  test('sends the clicks of the given time in batches', async () => {
    const posthog = await startListener();
    const old = line(1, { timestamp: '2026-01-01T00:00:00.000Z' });
    const { dataDir } = makeLedger(old, ...Array.from({ length: 501 }, (_, n) => line(n + 2)));
    await replay(posthog.url, dataDir, '--since', '2026-01-02');
    const sizes = posthog.received.map(({ body }) => JSON.parse(body).batch.length);
    expect(sizes).toEqual([500, 1]);
  });

  test('fails with the status when PostHog refuses', async () => {
    const posthog = await startListener(() => 401);
    const { code, err } = await replay(posthog.url, makeLedger(line(1)).dataDir);
    expect(code).toBe(1);
    expect(err).toContain('/batch/ answered 401. Nothing is lost: run the command again.');
  });

  test.each([null, 'https://us.i.posthog.com'])(
    'refuses a PostHog that the page does not name (it names %s)',
    async (posthogHost) => {
      const DIST_DIR = makeDist({
        posthogKey: posthogHost && 'phc_x',
        privacy: { logIp: 'full', posthogHost, posthogSendIp: false },
      });
      const env = {
        DIST_DIR,
        DATA_DIR: makeLedger(line(1)).dataDir,
        POSTHOG_HOST: 'https://eu.posthog.invalid',
      };
      const { code, err, out } = await run(['replay', '--key', 'phc_x'], env);
      expect(code).toBe(1);
      expect(err).toContain('does not tell visitors that PostHog at https://eu.posthog.invalid');
      expect(out).toBe('');
      expect((await run(['replay', '--key', 'phc_x', '--dry-run'], env)).code).toBe(0);
    },
  );

  test('with --dry-run prints the events and sends nothing', async () => {
    const posthog = await startListener();
    const { out } = await replay(posthog.url, makeLedger(line(1)).dataDir, '--dry-run');
    expect(out).toContain('"event":"cta_click"');
    expect(out).toContain('1 events would go to');
    expect(posthog.received).toEqual([]);
  });
});
