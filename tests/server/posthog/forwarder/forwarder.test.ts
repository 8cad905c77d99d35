/** The forwarder in the real app, with a stand-in for PostHog. */
import {
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { newId } from '../../../../server/database/new-id.ts';
import { browserEvent } from '../../../helpers/fakes/browser-event.ts';
import { testCapture } from '../../../helpers/fakes/posthog-capture/test-capture.ts';
import { FAST_PACE } from '../../../helpers/server/fast-pace.ts';
import { makeBody, makeDataDir, startApp } from '../../../helpers/server/server-app.ts';

type Capture = Awaited<ReturnType<typeof testCapture>>;
type Options = Parameters<typeof startApp>[0];

async function startSite(posthog: Capture, options: Options = {}) {
  const { env, ...rest } = options;
  const site = await startApp({
    env: { POSTHOG_HOST: posthog.url, ...env },
    pace: FAST_PACE,
    ...rest,
  });
  const click = async (parts: Record<string, unknown> = {}, headers = {}) => {
    const id = newId();
    const payload = makeBody({ id, visit_id: newId(), ...parts });
    const answer = await site.app.inject({ method: 'POST', url: '/api/log-cta', payload, headers });
    expect(answer.json()).toMatchObject({ status: 'logged' });
    return id;
  };
  const receipt = async (id: string) => (await site.posthog?.receipts.find([id]))?.get(id);
  return {
    ...site,
    click,
    receipt,
    health: async () => (await site.app.inject('/healthz')).json(),
    untilFinal: (id: string, verdict = /ok/) =>
      expect.poll(async () => (await receipt(id))?.verdict ?? '').toMatch(verdict),
  };
}

const uuidsOf = (events: { uuid: string }[]) => events.map(({ uuid }) => uuid);

describe('a click that PostHog does not have', () => {
  test('is sent with its id, its visitor and its time, and has a receipt', async () => {
    const posthog = await testCapture();
    const site = await startSite(posthog);
    const visit_id = newId();
    const timestamp = '2026-11-20T09:30:00.123Z';
    const id = await site.click({ visit_id, timestamp });
    await site.untilFinal(id);
    expect(posthog.events).toMatchObject([
      { uuid: id, event: 'cta_click', distinct_id: visit_id, timestamp },
    ]);
    expect(await site.receipt(id)).toMatchObject({
      ...{ event: 'cta_click', channel: 'ledger', protocol: 'v1' },
      ...{ verdict: 'ok', detail: null, attempts: 1 },
    });
  });

  test('is marked as historical if it is older than two days, and other clicks are not', async () => {
    const posthog = await testCapture();
    const site = await startSite(posthog);
    const old = await site.click({
      timestamp: new Date(Date.now() - 49 * 3_600_000).toISOString(),
    });
    const young = await site.click({ timestamp: new Date().toISOString() });
    for (const id of [old, young]) await site.untilFinal(id);
    const marks = posthog.events.map(({ uuid, historical }) => [uuid, historical]);
    expect(Object.fromEntries(marks)).toEqual({ [old]: true, [young]: false });
  });

  test('is not sent while it is young, or if a robot or a visitor with a privacy signal made it', async () => {
    const posthog = await testCapture();
    const site = await startSite(posthog);
    await site.click({}, { 'sec-gpc': '1' });
    await site.click({ user_agent: 'Googlebot/2.1' });
    const last = await site.click();
    await site.untilFinal(last);
    await site.close();
    const young = await startSite(posthog, { pace: { ...FAST_PACE, ageMs: 60_000 } });
    await young.click();
    await young.close();
    expect(uuidsOf(posthog.events)).toEqual([last]);
  });

  test('is not sent again after a restart, a rotation, or to a later server of a copy', async () => {
    const posthog = await testCapture();
    const dataDir = makeDataDir();
    const first = await startSite(posthog, { dataDir });
    const ids = [await first.click(), await first.click()];
    for (const id of ids) await first.untilFinal(id);
    const { ledger, receipts } = first.config.files;
    renameSync(ledger, `${ledger}-20260131`);
    await first.data.recorder.reopen();
    ids.push(await first.click());
    await first.untilFinal(ids[2] ?? '');
    await first.close();
    writeFileSync(`${ledger}-20260131.gz`, gzipSync(readFileSync(`${ledger}-20260131`)));
    rmSync(`${ledger}-20260131`);

    const copy = makeDataDir();
    for (const file of ['clicks.jsonl', 'clicks.jsonl-20260131.gz', 'posthog.sqlite'])
      copyFileSync(join(dataDir, file), join(copy, file));
    for (const folder of [dataDir, copy]) {
      const again = await startSite(posthog, { dataDir: folder });
      ids.push(await again.click());
      await again.untilFinal(ids.at(-1) ?? '');
      await again.close();
    }
    expect(uuidsOf(posthog.events)).toEqual(ids);
    expect(receipts).toBe(join(dataDir, 'posthog.sqlite'));
  });

  test('is sent after a restored backup, whatever the ledger lost', async () => {
    const posthog = await testCapture();
    const dataDir = makeDataDir();
    const first = await startSite(posthog, { dataDir });
    const ids = [await first.click(), await first.click(), await first.click()];
    for (const id of ids) await first.untilFinal(id);
    await first.close();
    const { ledger } = first.config.files;
    const bytes = readFileSync(ledger);
    truncateSync(ledger, bytes.indexOf(0x0a) + 1);
    const second = await startSite(posthog, { dataDir });
    const id = await second.click();
    await second.untilFinal(id);
    expect(uuidsOf(posthog.events)).toEqual([...ids, id]);
  });

  test('is sent again without a receipt, and PostHog merges it', async () => {
    const posthog = await testCapture();
    posthog.play({ ending: 'cut' });
    const site = await startSite(posthog);
    const id = await site.click();
    await site.untilFinal(id);
    expect(uuidsOf(posthog.events)).toEqual([id, id]);
    expect(uuidsOf(posthog.merged())).toEqual([id]);
    expect(await site.receipt(id)).toMatchObject({ verdict: 'ok', attempts: 2 });
  });
});

describe('a fault of PostHog', () => {
  const begin = (lines: Record<string, unknown>[]) =>
    lines.filter(({ msg }) => /^Events (do not )?reach PostHog/.test(String(msg)));

  test.each([
    ['down', { isDown: true }, 'PostHog does not take events. They wait.'],
    ['over its quota', { isOverQuota: true }, 'PostHog is over its quota. Events wait.'],
    [
      'at another address',
      { hasV1: false, hasV0: false },
      'PostHog refuses every event. They wait. Check POSTHOG_HOST and the project key.',
    ],
  ])('is one line in the log and a state: %s', async (_name, world, reason) => {
    const posthog = await testCapture();
    const healthy = { ...posthog.world };
    Object.assign(posthog.world, world);
    const site = await startSite(posthog);
    expect(await site.health()).toEqual({ status: 'ready' });
    const ids = await Promise.all(Array.from({ length: 30 }, () => site.click()));
    await expect.poll(site.health).toEqual({ status: 'degraded', reasons: [reason] });
    expect((await site.app.inject('/healthz')).statusCode).toBe(200);
    await expect.poll(() => begin(site.logged()).length).toBe(1);
    Object.assign(posthog.world, healthy);
    // A request during the change may fall back to /batch/, whose verdict is `accepted`.
    for (const id of ids) await site.untilFinal(id, /ok|accepted/);
    await expect.poll(site.health).toEqual({ status: 'ready' });
    expect(begin(site.logged()).map(({ msg }) => msg)).toEqual([
      expect.stringContaining('do not reach PostHog; they wait. '),
      'Events reach PostHog again',
    ]);
    expect(uuidsOf(posthog.events).sort()).toEqual(ids.sort());
  });

  test('that becomes another one is one more line, and the end is one line', async () => {
    const posthog = await testCapture();
    posthog.world.isDown = true;
    const site = await startSite(posthog);
    const id = await site.click();
    await expect.poll(() => begin(site.logged()).length).toBe(1);
    Object.assign(posthog.world, { isDown: false, isOverQuota: true });
    await expect.poll(() => begin(site.logged()).length).toBe(2);
    posthog.world.isOverQuota = false;
    await site.untilFinal(id);
    await expect
      .poll(() => begin(site.logged()))
      .toMatchObject([
        { kind: 'away' },
        { kind: 'over_quota' },
        { msg: 'Events reach PostHog again' },
      ]);
  });

  test.each([
    ['down', { isDown: true }],
    ['over its quota', { isOverQuota: true }],
  ])('however long it was %s, leaves nothing waiting for long afterwards', async (_name, world) => {
    const posthog = await testCapture();
    Object.assign(posthog.world, world);
    // An event's own delay becomes hours after a few attempts.
    const pace = { ...FAST_PACE, firstDelayMs: 10_000, longestDelayMs: 6 * 3_600_000 };
    const site = await startSite(posthog, { pace });
    const payload = { api_key: 'phc_test', batch: [browserEvent()] };
    const answer = await site.app.inject({ method: 'POST', url: '/k/e/', payload });
    expect(answer.statusCode).toBe(200);
    const ids = [await site.click(), await site.click()];
    await expect.poll(() => posthog.requests.length).toBeGreaterThan(20);
    Object.assign(posthog.world, { isDown: false, isOverQuota: false });
    for (const id of ids) await site.untilFinal(id);
    await expect.poll(async () => (await site.posthog?.receipts.waitingSize())?.events).toBe(0);
  });

  test('asks with one small request at a time', async () => {
    const posthog = await testCapture();
    posthog.world.isOverQuota = true;
    const site = await startSite(posthog, {
      pace: { ...FAST_PACE, ageMs: Number.POSITIVE_INFINITY },
    });
    for (let n = 0; n < 30; n += 1) await site.click();
    await site.close();
    const again = await startSite(posthog, {
      dataDir: site.config.dataDir,
      pace: { ...FAST_PACE, probe: 4 },
    });
    const sizes = () => posthog.requests.map(({ body }) => JSON.parse(body).batch.length);
    await expect.poll(() => sizes().length).toBeGreaterThan(3);
    expect(new Set(sizes().slice(1))).toEqual(new Set([4]));
    await again.close();
  });

  test('with one click holds up no other one, whether they are sent together or alone', async () => {
    const posthog = await testCapture();
    const young = { ...FAST_PACE, ageMs: Number.POSITIVE_INFINITY };
    const site = await startSite(posthog, { pace: young });
    const [poisoned = '', ...others] = [await site.click(), await site.click(), await site.click()];
    await site.close();
    posthog.world.unstorable.add(poisoned);
    const again = await startSite(posthog, { dataDir: site.config.dataDir });
    for (const id of others) await again.untilFinal(id);
    const alone = await again.click();
    await again.untilFinal(alone);
    posthog.world.unstorable.delete(poisoned);
    await again.untilFinal(poisoned);
    expect(uuidsOf(posthog.events)).toEqual([...others, alone, poisoned]);
  });

  test('with the only click does not hold up the next one', async () => {
    const posthog = await testCapture();
    const site = await startSite(posthog, { pace: { ...FAST_PACE, failuresBeforeAside: 1 } });
    const poisoned = newId();
    posthog.world.unstorable.add(poisoned);
    await site.click({ id: poisoned });
    await expect.poll(() => posthog.requests.length).toBeGreaterThan(1);
    const next = await site.click();
    await site.untilFinal(next);
    posthog.world.unstorable.clear();
    await site.untilFinal(poisoned);
  });
});

test('without a project key nothing is sent or kept', async () => {
  const posthog = await testCapture();
  const site = await startSite(posthog, { site: { posthogKey: null } });
  await site.click();
  expect(site.posthog).toBeNull();
  await site.close();
  expect(posthog.requests).toEqual([]);
});
