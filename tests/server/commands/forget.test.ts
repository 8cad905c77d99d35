/** A forgotten visitor is in no table and no log file, and nothing else changes. */
import { randomUUIDv7 } from 'node:crypto';
import { appendFileSync, globSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { CAMPAIGN_PARAMETERS } from '#contract/visit.ts';
import { forget } from '../../../server/commands/forget.ts';
import { REQUEST_TIMEOUT_MS } from '../../../server/posthog/post-batch.ts';
import { browserEvent, VISIT } from '../../helpers/fakes/browser-event.ts';
import { DATABASES } from '../../helpers/server/databases.ts';
import { startPosthogSite } from '../../helpers/server/posthog-site.ts';
import { readPeople, register } from '../../helpers/server/registrations.ts';
import { COLUMNS_OF_FORGOTTEN } from '../../helpers/server/rows.ts';
import { runPrinting, runSite } from '../../helpers/server/run-site.ts';
import {
  makeBody,
  makeDataDir,
  makeFullBody,
  type Site,
  startApp,
} from '../../helpers/server/server-app.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

type Env = Record<string, string>;

const OTHER = randomUUIDv7();
const ADDRESS = '2001:db8:1:2::7';
/** Without PostHog, so that the command need not wait for a batch. */
const QUIET: Partial<BuiltSite> = { posthogKey: null };

/** Starts a server behind a proxy, and a function that runs `site forget` on its database. */
async function start(env: Env = {}, changes: Partial<BuiltSite> = QUIET) {
  const own = { TRUST_PROXY: '1', ...env };
  const site = await startApp({ env: own, site: changes });
  const all = { ...own, DATA_DIR: site.config.dataDir };
  const forget = (args: string[]) =>
    runSite(['forget', ...args, '--build', makeDist(changes)], all);
  return { site, env: all, forget };
}

/** @param from the address that the server sees */
async function click(site: Site, parts: object, from = '198.51.100.1') {
  const body = makeBody({ id: randomUUIDv7(), ...parts });
  const answer = await site.postClick(body, { 'x-forwarded-for': from });
  expect(answer.statusCode).toBe(200);
  return { ...body, id: String(body.id), event: String(body.event) };
}

/** Everything in the files of the data folder. */
const filesOf = ({ config: { dataDir } }: Site) =>
  readdirSync(dataDir).map((file) => readFileSync(join(dataDir, file), 'latin1'));
const sizesOf = ({ config: { dataDir } }: Site) =>
  readdirSync(dataDir)
    .filter((file) => file.endsWith('.jsonl'))
    .map((file) => statSync(join(dataDir, file)).size);

describe.each(DATABASES)('with $name', ({ makeEnv }) => {
  test('a visit leaves ids, events and times, and its click that comes again stays empty', async () => {
    const { site, forget } = await start(await makeEnv(), { ...QUIET, referrerDetail: 'domain' });
    const ofAna = Object.fromEntries(CAMPAIGN_PARAMETERS.map((name) => [name, 'mail-to-Ana']));
    const personal = makeFullBody({
      visit_id: VISIT,
      referrer: 'clinic-of-Ana',
      campaign: ofAna,
      ip: ADDRESS,
      user_agent: 'Mozilla/5.0 (Ana) Firefox/150.0',
      referring_domain: 'ana.example',
      page_url: 'https://site.example/?ref=clinic-of-Ana',
    });
    const first = await click(site, personal, ADDRESS);
    await click(site, { ...personal, id: first.id });
    const other = await click(site, { visit_id: OTHER });
    expect((await site.postClick({ visit_id: VISIT.toUpperCase() })).statusCode).toBe(400);
    await site.postClick({ note: 'of another' });
    const [before] = await site.rows(`SELECT * FROM clicks WHERE id = '${other.id}'`);
    const [full = {}] = await site.rows(`SELECT * FROM clicks WHERE id = '${first.id}'`);
    // So that a new column is in the comparison below: it is forgotten, or no person is behind it.
    const empty = Object.keys(full).filter((column) => full[column] === null);
    expect(empty.sort()).toEqual(['forgotten_at', 'marking']);
    const [clicksSize = 0, refusedSize] = sizesOf(site);
    const { out, code } = await forget(['--visit', VISIT.toUpperCase()]);
    expect(code).toBe(0);
    expect(out).toContain('Forgotten: 1 clicks, 0 other events for PostHog, 3 lines');
    // One line is added, and the others keep their places.
    const added = `${JSON.stringify(site.lines().at(-1))}\n`;
    expect(sizesOf(site)).toEqual([clicksSize + added.length, refusedSize]);
    const again = await site.postClick(first);
    expect(again.json()).toEqual({ status: 'duplicate', id: first.id });

    const rows = await site.rows('SELECT * FROM clicks ORDER BY id');
    const filled = Object.entries(rows[0] ?? {}).filter(([, value]) => value !== null);
    expect(filled.map(([column]) => column).sort()).toEqual(COLUMNS_OF_FORGOTTEN);
    expect(rows[1]).toEqual(before);
    const own = {
      level: 30,
      time: expect.any(Number),
      pid: process.pid,
      hostname: expect.any(String),
      id: first.id,
      event: first.event,
      received_at: expect.any(String),
    };
    expect(site.lines()).toEqual([
      { ...own, via: 'fetch', is_bot: false },
      { ...own, via: 'fetch', is_bot: false, duplicate: true },
      expect.objectContaining({ id: other.id, visit_id: OTHER }),
      { ...own, via: 'fetch', is_bot: false, forgotten_at: expect.any(String), duplicate: true },
      { ...own, via: 'fetch', is_bot: false, duplicate: true },
    ]);
    expect(site.refused()).toMatchObject([
      { reason: 'validation_failed' },
      { body: '{"note":"of another"}' },
    ]);
    const secrets = [VISIT, 'Ana', 'ana.example', ADDRESS];
    const found = filesOf(site).flatMap((text) => secrets.filter((one) => text.includes(one)));
    expect(found).toEqual([]);
    const counted = 'SELECT CAST(SUM(n) AS INTEGER) AS n FROM click_counts';
    expect(await site.rows(counted)).toEqual([{ n: 2 }]);
    const nothing = await forget(['--visit', VISIT]);
    expect(nothing.code).toBe(1);
    expect(nothing.err).toMatch(/^There is nothing of this visitor in the database/);
  });

  test('an address in any spelling leads to all clicks of its visits; an e-mail to its registration', async () => {
    const { site, env, forget } = await start(await makeEnv());
    await click(site, { visit_id: VISIT, is_internal: true }, ADDRESS);
    await click(site, { visit_id: VISIT, ip: null });
    await click(site, { ip: ADDRESS });
    await click(site, { visit_id: OTHER }, `${ADDRESS}7`);
    await site.postClick(`{"half":"[${ADDRESS.toUpperCase()}]`);
    await register(site, 'ana@example.org', 'bo@example.org');
    const { out } = await forget(['--ip', '2001:0DB8:1:2:0::7', '--email', ' Ana@example.ORG']);
    expect(out).toContain('The registration is deleted.');
    expect(out).toContain('Forgotten: 3 clicks, 0 other events for PostHog, 4 lines');
    expect(site.lines()[0]).toMatchObject({ is_internal: true });
    expect(out.includes('Run this command once on each machine')).toBe('DATABASE_URL' in env);
    expect(await site.rows('SELECT visit_id FROM clicks WHERE forgotten_at IS NULL')).toEqual([
      { visit_id: OTHER },
    ]);
    expect(filesOf(site).filter((text) => text.includes(VISIT))).toEqual([]);
    expect(await readPeople(site.config)).toMatchObject([{ email: 'bo@example.org' }]);
    expect(await forget(['--email', 'ana@example.org'])).toMatchObject({ code: 1 });
  });

  test.each([
    { order: 'older', files: (old: string, log: string) => [old, log] },
    { order: 'newer', files: (old: string, log: string) => [log, old] },
  ])(
    'a copy of the log from before, with the $order file first, brings nobody back',
    async ({ files }) => {
      const { site, forget } = await start(await makeEnv());
      const first = await click(site, { visit_id: VISIT, is_internal: true }, ADDRESS);
      const other = await click(site, { visit_id: OTHER });
      const { dataDir } = site.config;
      const [log = ''] = globSync(join(dataDir, 'clicks-*.jsonl'));
      const old = join(dataDir, 'copy.jsonl');
      // The log begins anew, so that it has nothing but the line of the command.
      renameSync(log, old);
      await forget(['--visit', VISIT]);

      const env = { ...(await makeEnv()), DATA_DIR: makeDataDir() };
      for (const file of files(old, log))
        await runSite(['import', file, '--build', makeDist(QUIET)], env);
      const next = await startApp({ env, dataDir: env.DATA_DIR });
      const rows = await next.rows(
        'SELECT id, visit_id, ip, is_internal, forgotten_at FROM clicks',
      );
      const ofVisit = rows.find(({ id }) => id === first.id);
      expect(ofVisit).toMatchObject({ visit_id: null, ip: null, is_internal: true });
      expect(ofVisit?.forgotten_at).not.toBeNull();
      expect(rows.find(({ id }) => id === other.id)).toMatchObject({ visit_id: OTHER });
    },
  );

  test('while clicks arrive, each acknowledged one stays in the table and in the log', async () => {
    const { site, forget } = await start({ ...(await makeEnv()), RATE_LIMIT: '0' });
    const before = Array.from({ length: 600 }, (_, n) =>
      makeBody({
        id: randomUUIDv7(),
        visit_id: n % 3 === 0 ? VISIT : OTHER,
        user_agent: 'x'.repeat(n),
      }),
    );
    await Promise.all(before.map((body) => site.insistOnClick(body)));
    const running = forget(['--visit', VISIT]);
    const later = await site.clickDuring(running, { visit_id: OTHER });
    const ids = [...before.map(({ id }) => String(id)), ...later];
    expect(await running).toMatchObject({ code: 0 });
    // A click that got a 503 may be stored, and its repetition has a line too.
    const inLog = new Set(site.lines().map(({ id }) => String(id)));
    expect([...inLog].sort()).toEqual(ids.sort());
    const blanked = site.lines().filter(({ visit_id }) => visit_id !== OTHER);
    expect(new Set(blanked.map(({ id }) => id)).size).toBe(200);
    const forgotten = 'SELECT id FROM clicks WHERE forgotten_at IS NOT NULL';
    expect(await site.rows(forgotten)).toHaveLength(200);
  });
});

test('in a log of several megabytes, no byte of another visitor changes', async () => {
  const { site, forget } = await start();
  const [log = ''] = await click(site, { visit_id: OTHER }).then(() =>
    globSync(join(site.config.dataDir, 'clicks-*.jsonl')),
  );
  const line = readFileSync(log, 'utf8');
  // Longer than what the command reads at once, with lines that lie across the ends of its reads.
  const ofOthers = line.repeat(Math.ceil((1.1 * 1024 * 1024) / line.length));
  for (let n = 0; n < 2; n += 1) {
    appendFileSync(log, ofOthers);
    await click(site, { visit_id: VISIT });
  }
  const before = readFileSync(log, 'utf8').split('\n');
  expect((await forget(['--visit', VISIT])).out).toContain('Forgotten: 2 clicks');
  const after = readFileSync(log, 'utf8').split('\n');
  const changed = before.filter((text, i) => text !== after[i]);
  expect(changed.map((text) => text && JSON.parse(text).visit_id)).toEqual([VISIT, VISIT, '']);
});

test('a shortened address is named, and a faulty question changes nothing', async () => {
  const { site, forget } = await start({}, { ...QUIET, logIp: 'truncated' });
  await click(site, { ip: null }, '203.0.113.7');
  const full = await forget(['--ip', '203.0.113.7']);
  expect(full.code).toBe(1);
  expect(full.out).toContain('--ip 203.0.113.0 forgets all visitors of this network');
  for (const [args, message] of [
    [[], 'Name the visitor'],
    [['--visit', 'x'], 'It must be a UUID'],
    [['--ip', '203.0.113'], 'It must be an IPv4'],
  ] as const) {
    const { code, err } = await forget([...args]);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  }
  expect(await site.rows('SELECT id FROM clicks WHERE forgotten_at IS NULL')).toHaveLength(1);
  expect((await forget(['--ip', '203.0.113.0'])).out).toContain('Forgotten: 1 clicks');
});

test('PostHog gets no event of the visitor any more after the batch under way', async () => {
  const site = await startPosthogSite({ jobs: [] });
  const { capture, sendAll } = site;
  // Until the server breaks this batch off, PostHog may still take it.
  capture.play({ ending: 'silent', copies: 0 });
  const id = await site.click({ visit_id: VISIT });
  const timeLimit = new AbortController();
  const sending = site.step('posthog', timeLimit.signal);
  await expect.poll(() => capture.requests.length).toBe(1);
  const event = browserEvent();
  await site.postEvents(event);
  const build = makeDist({ posthogHost: capture.url });
  const waited: number[] = [];
  const waitForLimit = async (ms: number) => {
    waited.push(ms);
    timeLimit.abort();
    await expect(sending).rejects.toThrow('cannot be reached');
  };
  const command = () => forget({ visit: VISIT, build }, waitForLimit);
  const { out } = await runPrinting(command, { DATA_DIR: site.config.dataDir });
  expect(out).toContain('Forgotten: 1 clicks, 1 other events for PostHog');
  expect(out).toContain('Waiting 15 s for events that are on their way to PostHog.');
  expect(waited).toEqual([15_000]);
  // The sender may have read the batch a moment before the rows were deleted.
  expect(REQUEST_TIMEOUT_MS).toBeLessThanOrEqual(15_000 - 5_000);
  await site.click({ id, visit_id: VISIT });
  const other = await site.click();
  await sendAll();
  expect(site.arrived()).toEqual([other]);
  expect(capture.requests.filter(({ body }) => body.includes(event.uuid))).toEqual([]);
  expect(await site.outbox()).toEqual([]);
});

test('the command says why PostHog deletes only by hand, and names the visits', async () => {
  // No row waits for PostHog, so the command need not wait either.
  const site = await startPosthogSite({ site: { posthogKey: null } });
  await site.click({ visit_id: VISIT });
  // PostHog gets no robots, no private visitors and not the team, so this visit is not named.
  await site.postClick(makeBody({ visit_id: OTHER }), { 'sec-gpc': '1' });
  await site.click({ visit_id: OTHER, user_agent: 'Googlebot/2.1' });
  await site.click({ visit_id: OTHER, is_internal: true });
  // The personal key could delete persons.
  const key = { POSTHOG_PROJECT_ID: '7', POSTHOG_PERSONAL_KEY: 'phx_test' };
  const env = { DATA_DIR: site.config.dataDir, ...key };
  const build = makeDist({ posthogHost: site.capture.url });
  // From which `inject` sends.
  const given = ['forget', '--ip', '127.0.0.1', '--build', build];
  const { out, code } = await runSite(given, env);
  expect(code).toBe(0);
  expect(out).toContain('Not reached:\n  - backups');
  expect(out).toContain('deletes only the events of people with a profile');
  expect(out.endsWith(`distinct_id:\n  ${VISIT}\n`)).toBe(true);
  expect(site.capture.requests).toEqual([]);
});

test('without PostHog, nothing is to be deleted there', async () => {
  const { site, forget } = await start();
  await click(site, { visit_id: VISIT });
  expect((await forget(['--visit', VISIT])).out).not.toContain('distinct_id');
});
