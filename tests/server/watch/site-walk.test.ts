/**
 * The server walks its own public address: each planted fault is named within the hour, and none is
 * invented.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { generate } from 'selfsigned';
import { expect, onTestFinished, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../server/time.ts';
import {
  type Certificate,
  findCertificateFaults,
  readCertificate,
} from '../../../server/watch/certificate.ts';
import { listSteps } from '../../../server/watch/walk-site.ts';
import { createSiteWatch } from '../../../server/watch/watch-site.ts';
import { PLANTED, plantOf } from '../../helpers/fakes/planted-site-faults.ts';
import { HARMLESS_CHANGES } from '../../helpers/fakes/site-faults/harmless.ts';
import { startSmtpServer } from '../../helpers/fakes/smtp-server.ts';
import { buildSite } from '../../helpers/run/build-sites.ts';
import { seededRandom } from '../../helpers/run/seeded-random.ts';
import { startLocalServer } from '../../helpers/server/local-server.ts';
import {
  NEVER,
  NOON,
  openWorld,
  pass,
  SITE_URL,
  VALID,
} from '../../helpers/server/planted-site.ts';
import { readReasons, scrape } from '../../helpers/server/scrape.ts';
import { makeBody, makeDataDir, startApp } from '../../helpers/server/server-app.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

const SILENT = pino({ level: 'silent' });

test('each planted fault is named within the hour', async () => {
  const names = [...PLANTED, ...HARMLESS_CHANGES].map(({ name }) => name);
  expect([PLANTED.length >= 30, new Set(names).size]).toEqual([true, names.length]);
  const { world, openWatch } = await openWorld();
  const wrong: Record<string, string[]> = {};
  for (const { name, plant, named, isSilent } of PLANTED) {
    world.plant = plant;
    const watch = openWatch({ timeoutMs: isSilent ? 100 : 5000 });
    const isNamed = () => named.test(watch.reasons().join('\n'));
    await pass(world, HOUR_MS, () => watch.step(NEVER), isNamed);
    if (!isNamed()) wrong[name] = watch.reasons();
  }
  expect(wrong).toEqual({});
});

test('the whole real build has no fault', async () => {
  const { world, openWatch } = await openWorld({ isPart: false });
  const watch = openWatch();
  await pass(world, 10 * MINUTE_MS, () => watch.step(NEVER));
  expect([world.portalRequests.length, watch.facts()]).toEqual([1, []]);
});

test('what hurts no visitor is not named', async () => {
  const { world, openWatch } = await openWorld();
  for (const { name, plant } of HARMLESS_CHANGES) {
    world.plant = plant;
    const watch = openWatch();
    await pass(world, 10 * MINUTE_MS, () => watch.step(NEVER));
    // Null before the first walk has ended.
    expect([name, watch.facts()]).toEqual([name, []]);
  }
});

const PAGE = `<!doctype html><a data-cta="hero" href="https://portal.example/create-account?invitation_code=C">Join</a>`;

test('in a month in which one request in fifty fails, none is invented, and the portal is asked once an hour', async () => {
  const random = seededRandom();
  const distDir = makeDist();
  writeFileSync(join(distDir, 'client/index.html'), PAGE);
  const { app } = await startApp({ env: { DIST_DIR: distDir } });
  const known = new Map<string, Promise<Response>>();
  const askApp = async (url: string) => {
    const { rawPayload, statusCode: status, headers } = await app.inject(url);
    return new Response(new Uint8Array(rawPayload), { status, headers: headers as HeadersInit });
  };
  let now = NOON;
  const heads: number[] = [];
  const fetch = async (input: unknown, { method = 'GET' }: RequestInit = {}) => {
    const { host, pathname } = new URL(String(input));
    if (method === 'HEAD') heads.push(now);
    const chance = random();
    if (chance < 0.01) throw new DOMException('slow', 'TimeoutError');
    if (chance < 0.02) return new Response('Bad Gateway', { status: 502 });
    if (host === 'portal.example') return new Response();
    if (method === 'POST') return Response.json({ status: 'logged' });
    if (pathname.startsWith('/r/')) return askApp(pathname);
    if (!known.has(pathname)) known.set(pathname, askApp(pathname));
    return ((await known.get(pathname)) as Response).clone();
  };
  const watch = createSiteWatch({
    site: { siteUrl: SITE_URL, timeZone: 'UTC' },
    file: join(makeDataDir(), 'site-walk.json'),
    log: SILENT,
    now: () => now,
    hasVisitorsSince: async () => false,
    listSteps: (asksPortal) =>
      listSteps(
        {
          site: { siteUrl: SITE_URL },
          distDir,
          now: () => now,
          fetch: fetch as typeof globalThis.fetch,
          readCertificate: async () => VALID,
        },
        asksPortal,
      ),
  });
  for (const end = now + 30 * DAY_MS; now < end; now += 20 * SECOND_MS) await watch.step(NEVER);
  expect(watch.facts()).toEqual([]);
  const hours = new Set(heads.map((at) => Math.floor((at - NOON - MINUTE_MS) / HOUR_MS)));
  expect(hours.size).toBeGreaterThan(710);
  // Only a question that failed is asked again within its hour.
  expect(heads.length).toBeLessThan(hours.size * 1.06);
});

const PORTAL_AWAY = plantOf('the portal fails');
const SITE_AWAY = plantOf('connections to the site break off');

test('a fault is a reason for operators, a metric and a log line, until it is over; supervisors hear nothing', async () => {
  const { world, site } = await openWorld();
  await expect.poll(() => readReasons(site)).toEqual([]);
  const healthy = world.plant;
  world.plant = PORTAL_AWAY;
  await pass(world, HOUR_MS, () => site.step('site-walk'));
  const reason = 'Since 12:01 the button leads to an error of the portal (502).';
  expect(await readReasons(site)).toEqual([reason]);
  expect(await scrape(site)).toMatchObject({
    'site_walk_faults{kind="portal"}': 1,
    'site_walk_faults{kind="page"}': 0,
  });
  for (const url of ['/livez', '/readyz'])
    expect((await site.app.inject(url)).statusCode).toBe(200);
  expect((await site.app.inject('/healthz')).json()).toEqual({ status: 'ready' });
  world.plant = healthy;
  await pass(world, HOUR_MS, () => site.step('site-walk'));
  expect(await readReasons(site)).toEqual([]);
  expect(await scrape(site)).toMatchObject({ 'site_walk_faults{kind="portal"}': 0 });
  const lines = site.logged().map(({ msg }) => msg);
  expect(lines).toEqual(
    expect.arrayContaining([
      "The site's own walk: the button leads to an error of the portal (502)",
      "The site's own walk: over. the button leads to an error of the portal (502)",
    ]),
  );
  const counted = await site.rows('SELECT n FROM click_counts WHERE NOT is_bot AND n <> 0');
  expect(counted).toEqual([]);
});

test('a fault is mailed, and once more when it is over', async () => {
  const smtp = await startSmtpServer();
  const more = { SMTP_URL: smtp.url, REPORT_MAIL_TO: 'team@site.example' };
  const { world, site } = await openWorld({ more });
  const healthy = world.plant;
  for (const plant of [PORTAL_AWAY, healthy]) {
    world.plant = plant;
    await pass(world, HOUR_MS, () => site.step('site-walk'));
    await site.step('report-mails');
  }
  const says = 'the button leads to an error of the portal (502)';
  expect(smtp.received.map(({ subject }) => subject)).toEqual([
    `SMA Data Drive: Since 12:01 ${says}`,
    `SMA Data Drive: Over: from 12:01 to 13:01 ${says}`,
  ]);
});

test('after a restart a fault keeps its beginning, and the portal is asked again only after an hour', async () => {
  const { world, openWatch } = await openWorld();
  world.plant = PORTAL_AWAY;
  const dataDir = makeDataDir();
  const first = openWatch({}, dataDir);
  await pass(world, 10 * MINUTE_MS, () => first.step(NEVER));
  const asked = world.portalRequests.length;
  const second = openWatch({}, dataDir);
  await pass(world, 30 * MINUTE_MS, () => second.step(NEVER));
  expect(world.portalRequests.length).toBe(asked);
  expect(second.reasons()).toEqual(first.reasons());
  await pass(world, 2 * HOUR_MS, () => second.step(NEVER));
  expect(second.reasons()).toEqual([
    'Since 12:01 the button leads to an error of the portal (502).',
  ]);
});

test('a server that alone cannot reach the address says so, and that is not for a mail', async () => {
  const { world, site, openWatch } = await openWorld();
  const watch = openWatch();
  await pass(world, HOUR_MS, () => watch.step(NEVER));
  world.plant = SITE_AWAY;
  await pass(world, HOUR_MS, () => watch.step(NEVER));
  // Nobody came, but that is not certain within minutes.
  expect(watch.facts()).toMatchObject([{ id: 'address', isForMail: false }]);
  await pass(world, HOUR_MS, () => watch.step(NEVER));
  expect(watch.facts()).toMatchObject([{ id: 'address', isForMail: true }]);
  expect((await site.postClick(makeBody())).statusCode).toBe(200);
  await pass(world, HOUR_MS, () => watch.step(NEVER));
  expect(watch.facts()).toMatchObject([{ id: 'address', isForMail: false }]);
  expect(watch.reasons().join()).toContain(
    "this server cannot reach https://site.example, while people's visits arrive: nothing answers",
  );
});

test('without a public address there is no walk; the portal’s stand-in answers its question', async () => {
  const site = await startApp({ env: { DIST_DIR: resolve(await buildSite('tracked')) } });
  await expect(site.step('site-walk')).rejects.toThrow('There is no job');
  const head = { method: 'HEAD', url: '/create-account?invitation_code=C' } as const;
  expect((await site.app.inject(head)).statusCode).toBe(200);
});

test.each([
  ['it has ended', { notAfterDate: new Date(NOON - DAY_MS) }, NOON, 'the certificate has ended'],
  [
    'it is not trusted',
    {},
    Date.now(),
    'browsers refuse the certificate (DEPTH_ZERO_SELF_SIGNED_CERT)',
  ],
])('a real certificate: %s', async (_, dates, now, text) => {
  const notBeforeDate = new Date(NOON - 60 * DAY_MS);
  const names = [{ name: 'commonName', value: 'site.example' }];
  const { private: key, cert } = await generate(names, { notBeforeDate, ...dates });
  const server = await startLocalServer((_request, answer) => answer.end(), { key, cert });
  onTestFinished(server.close);
  const certificate = await readCertificate(`https://127.0.0.1:${server.port}`, NEVER);
  expect(findCertificateFaults(certificate as Certificate, now)[0]?.text).toContain(text);
});

test.each([
  ['90 days, 15 left', 90, 15, 0],
  ['90 days, exactly 14 left', 90, 14, 0],
  ['90 days, 13 left', 90, 13, 1],
  // Such a certificate is renewed when two days are left.
  ['6 days, 2 left', 6, 2, 0],
  ['6 days, half a day left', 6, 0.5, 1],
])('a certificate of %s', (_, days, left, faults) => {
  const validTo = NOON + left * DAY_MS;
  const certificate = { validFrom: validTo - days * DAY_MS, validTo, refusedWith: null };
  expect(findCertificateFaults(certificate, NOON)).toHaveLength(faults);
});
