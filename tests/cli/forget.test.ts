/** `clicks forget`, as an operator runs it next to a running server. */
import { randomUUIDv7 } from 'node:crypto';
import {
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loggedAddress } from '../../server/http/address.ts';
import { KEY, PROJECT, startPosthogApi } from '../helpers/fakes/posthog-api/posthog-api.ts';
import { testCapture } from '../helpers/fakes/posthog-capture/test-capture.ts';
import { FAST_PACE } from '../helpers/server/fast-pace.ts';
import { line, makeLedger } from '../helpers/server/ledger-lines.ts';
import { postClick } from '../helpers/server/post-click.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeBody, makeDataDir, startApp } from '../helpers/server/server-app.ts';

type Site = Awaited<ReturnType<typeof startApp>>;

const forget = (dataDir: string, args: string[], env: Record<string, string> = {}) =>
  runCli('clicks.ts', ['forget', ...args], { DATA_DIR: dataDir, ...env });

async function click(site: Site, parts: Record<string, unknown>, from = '198.51.100.1') {
  const id = randomUUIDv7();
  const answer = await postClick(site, makeBody({ id, ip: from, ...parts }), {
    'x-forwarded-for': from,
  });
  expect(answer.statusCode).toBe(200);
  return id;
}

/** Every file of the data folder, unpacked; without databases: only text, so that a failure can be read. */
const everything = (dataDir: string, databases = false) =>
  readdirSync(dataDir)
    .filter((name) => /\.sqlite|\.lock/.test(name) === databases)
    .map((name) => {
      const bytes = readFileSync(join(dataDir, name));
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    })
    .join('\n');

const VISIT = '019c1234-5678-7abc-8def-00000000cafe';
const OTHER = '019c1234-5678-7abc-8def-00000000beef';
const ADDRESS = '203.0.113.77';

describe('next to a running server', () => {
  test('a visit is forgotten in every file, and everybody else’s lines keep their bytes', async () => {
    const site = await startApp({ env: { TRUST_PROXY: '1' } });
    const { dataDir, files } = site.config;
    const [first, , second] = [
      await click(site, { visit_id: VISIT }, ADDRESS),
      await click(site, { visit_id: OTHER }),
      await click(site, { visit_id: VISIT }, ADDRESS),
    ];
    // A rotation, a packing, and a rejected body.
    renameSync(files.ledger, `${files.ledger}-20260101`);
    await site.data.recorder.reopen();
    await click(site, { visit_id: OTHER });
    const packed = `${files.ledger}.2.gz`;
    const old = [line(1, { visit_id: VISIT }), line(2, { visit_id: OTHER })].join('\n');
    writeFileSync(packed, gzipSync(`${old}\n`), { mode: 0o640 });
    utimesSync(packed, 1000, 1000);
    await postClick(site, makeBody({ visit_id: VISIT, event: 'no' }));
    await site.data.rejectedBodies.drain();
    const third = await click(site, { visit_id: VISIT });
    const before = everything(dataDir);
    const total = (await site.app.inject('/api/stats')).json().clicks.total;

    const dry = await forget(dataDir, ['--visit', VISIT, '--dry-run']);
    expect(dry.out).toMatch(
      /^4 clicks of 1 visits, from .* would be forgotten\. Nothing was changed/,
    );
    expect(everything(dataDir)).toBe(before);

    const { out, code } = await forget(dataDir, ['--visit', VISIT.toUpperCase()]);
    expect(out).toContain('Forgot 4 clicks, in 3 files. 1 rejected bodies were removed.');
    expect(out).toContain('Backups, exports, reports');
    expect(code).toBe(1);
    const after = everything(dataDir);
    expect(after.toLowerCase()).not.toContain(VISIT);
    expect(after).not.toContain(ADDRESS);
    expect(everything(dataDir, true).includes(VISIT)).toBe(false);
    const others = (text: string) => text.split('\n').filter((one) => one.includes(OTHER));
    expect(others(after)).toEqual(others(before));
    expect(statSync(packed)).toMatchObject({ mtimeMs: 1_000_000, mode: 0o100640 });
    expect(Object.keys(site.lines().at(-1) ?? {})).toEqual(STONE);

    // The server goes on, and recognises a repetition.
    const later = await click(site, { visit_id: OTHER });
    for (const id of [first, second, third]) {
      const again = await postClick(site, makeBody({ id, visit_id: VISIT }));
      expect(again.json()).toEqual({ status: 'duplicate', id });
    }
    expect(site.lines().at(-1)?.id).toBe(later);
    expect((await site.app.inject('/api/stats')).json().clicks.total).toBe(total + 1);
    expect(site.logged().filter(({ level }) => Number(level) >= 40)).toEqual([]);
    const repeated = await forget(dataDir, ['--visit', VISIT]);
    expect(repeated.out).toContain('no click of this visitor');

    // A new index counts and refuses as the old one did.
    await site.close();
    await runCli('clicks.ts', ['rebuild'], { DATA_DIR: dataDir });
    const next = await startApp({ dataDir });
    const again = await postClick(next, makeBody({ id: first, visit_id: VISIT }));
    expect(again.json()).toEqual({ status: 'duplicate', id: first });
    // The packed file was not in the first index.
    expect((await next.app.inject('/api/stats')).json().clicks.total).toBe(total + 3);
    expect(everything(dataDir).toLowerCase()).not.toContain(VISIT);
  });

  test('an address leads to its visits, and to their clicks without an address', async () => {
    const site = await startApp({ env: { TRUST_PROXY: '1' } });
    const { dataDir } = site.config;
    await click(site, { visit_id: VISIT }, '2001:db8::7');
    await click(site, { visit_id: VISIT, ip: null });
    await click(site, { visit_id: OTHER, ip: null }, '2001:db8::77');
    const { out } = await forget(dataDir, ['--ip', '2001:0db8:0::7']);
    expect(out).toContain('Forgot 2 clicks, in 1 files.');
    expect(everything(dataDir)).not.toContain(VISIT);
    expect(site.lines().map((one) => Object.keys(one).includes('forgotten_at'))).toEqual([
      true,
      true,
      false,
    ]);
  });
});

const STONE = ['id', 'event', 'received_at', 'is_bot', 'forgotten_at'];

describe('PostHog', () => {
  async function startBoth() {
    const posthog = await testCapture();
    const api = await startPosthogApi();
    onTestFinished(api.close);
    const dataDir = makeDataDir();
    const pace = { ...FAST_PACE, ageMs: Number.POSITIVE_INFINITY };
    const site = await startApp({ dataDir, env: { POSTHOG_HOST: posthog.url }, pace });
    const env = {
      POSTHOG_HOST: posthog.url,
      POSTHOG_APP_HOST: api.url,
      POSTHOG_PERSONAL_KEY: KEY,
      POSTHOG_PROJECT_ID: String(PROJECT),
    };
    return { posthog, api, dataDir, site, env };
  }

  test('is asked to delete the visit, and never gets a forgotten click again', async () => {
    const { posthog, api, dataDir, site, env } = await startBoth();
    api.persons.add(VISIT);
    const id = await click(site, { visit_id: VISIT });
    const { out, err, code } = await forget(dataDir, ['--visit', VISIT], env);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('PostHog was asked to delete 1 visits');
    expect(api.writes()).toMatchObject([
      {
        path: `/api/projects/${PROJECT}/persons/bulk_delete/`,
        body: { distinct_ids: [VISIT], delete_events: true },
      },
    ]);
    expect([...((await site.posthog?.receipts.find([id])) ?? [])]).toMatchObject([
      [id, { event: 'forgotten', verdict: 'drop' }],
    ]);
    // A copy of the ledger from before still has the line.
    const copy = makeLedger(line(1, { id, visit_id: VISIT }));
    const args = ['--key', 'phc_x', '--all', '--ledger', copy.dataDir];
    await runCli('clicks.ts', ['replay', ...args], { DATA_DIR: dataDir, ...env });
    expect(posthog.events).toEqual([]);
  });

  test.each([
    ['knows no person', (_: Awaited<ReturnType<typeof startBoth>>) => {}, 'no person profile'],
    [
      'refuses the key',
      ({ api }: Awaited<ReturnType<typeof startBoth>>) => void api.keys.set(KEY, []),
      'lacks the scope person:write',
    ],
    [
      'has no key',
      ({ env }: Awaited<ReturnType<typeof startBoth>>) => {
        Object.assign(env, { POSTHOG_PERSONAL_KEY: '' });
      },
      'POSTHOG_PERSONAL_KEY (scope person:write)',
    ],
  ])('that %s leaves work to the operator, with the visit named', async (_, prepare, words) => {
    const both = await startBoth();
    prepare(both);
    await click(both.site, { visit_id: VISIT });
    const { err, code } = await forget(both.dataDir, ['--visit', VISIT], both.env);
    expect(code).toBe(1);
    expect(err).toContain(words);
    expect(err).toContain(`\n  ${VISIT}`);
    expect(everything(both.dataDir)).not.toContain(VISIT);
  });
});

test('tail and rebuild still have the tombstones', async () => {
  const { dataDir } = makeLedger(
    line(1),
    line(2, { visit_id: VISIT, is_bot: true }),
    line(3, { visit_id: VISIT }),
  );
  await forget(dataDir, ['--visit', VISIT]);
  const tail = await runCli('clicks.ts', ['tail'], { DATA_DIR: dataDir });
  expect(tail.out.match(/ forgotten +019c1234/g)).toHaveLength(2);
  const { out: lost } = await runCli('clicks.ts', ['rebuild'], { DATA_DIR: dataDir });
  expect(lost).toMatch(/^3 clicks are in/);
  expect(lost).not.toContain('lack');
});

test.each([
  [ADDRESS, '203.0.113.0'],
  ['2001:db8:0:1::7', '2001:db8::'],
])('the shortened address of %s is named, and its neighbours stay', async (address, short) => {
  const remote_ip = loggedAddress(address, 'truncated');
  const { dataDir } = makeLedger(line(1, { remote_ip, visit_id: null }));
  const before = everything(dataDir);
  const { out } = await forget(dataDir, ['--ip', address]);
  expect(out).toContain(`1 clicks have the address ${short}, because LOG_IP=truncated`);
  expect(readFileSync(join(dataDir, 'clicks.jsonl'), 'utf8')).toBe(before);
  expect((await forget(dataDir, ['--ip', short])).out).toContain('Forgot 1 clicks');
});

test.each([
  [[], 'Name the visitor'],
  [['--visit', 'x'], '--visit must be'],
  [['--ip', '1.2.3'], '--ip must be'],
])('%j is refused', async (args, words) => {
  const { dataDir } = makeLedger(line(1));
  expect(await forget(dataDir, args)).toMatchObject({
    code: 2,
    err: expect.stringContaining(words),
  });
});
