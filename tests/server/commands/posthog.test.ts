/**
 * `site posthog`: which clicks PostHog lacks, which ones the table lacks, how they are sent again,
 * and the dashboard.
 */
import { randomUUIDv7 } from 'node:crypto';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { DAY_MS, dayOf } from '../../../server/time.ts';
import type { Step } from '../../helpers/fakes/posthog-capture.ts';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { startPosthogSite, testCapture } from '../../helpers/server/posthog-site.ts';
import { clickRow, storeRows } from '../../helpers/server/rows.ts';
import { runSite } from '../../helpers/server/run-site.ts';
import { makeDist } from '../../helpers/server/server-dist.ts';

const KEYS = { POSTHOG_PROJECT_ID: '7', POSTHOG_PERSONAL_KEY: 'phx_test' };
/** A day, so many days ago. */
const day = (ago: number) => dayOf(Date.now() - ago * DAY_MS);
/** Noon of a day, by the browser's clock. */
const clicked = (ago: number) => {
  const timestamp = `${day(ago)}T12:00:00.000Z`;
  return { timestamp, id: v7({ msecs: Date.parse(timestamp) }) };
};

async function start({ env, ...options }: Parameters<typeof startPosthogSite>[0] = {}) {
  const site = await startPosthogSite({ env: env ?? {}, ...options });
  const settings = { ...KEYS, ...env, DATA_DIR: site.config.dataDir };
  const build = makeDist({ posthogHost: site.capture.url, ...options.site });
  const run = (args: string[], more: Record<string, string> = {}) =>
    runSite(['posthog', ...args, '--build', build], { ...settings, ...more });
  return { ...site, run };
}

/** Clicks of an hour ago, so that PostHog must show them. */
const age = (site: { config: Parameters<typeof execute>[0] }) =>
  execute(site.config, 'UPDATE clicks SET received_at = received_at - 3600000');

const table = (out: string) => out.split('\n').map((line) => line.trim().split(/ {2,}/));

describe.each(DATABASES)('on $name', ({ makeEnv }) => {
  test('check counts both sides per day, and names what one of them lacks; resend repairs it', async () => {
    const site = await start({ env: await makeEnv() });
    const { capture, click, outbox } = site;
    const arrived: string[] = [];
    for (const ago of [0, 1, 2, 2, 2]) arrived.push(await click(clicked(ago)));
    await expect.poll(() => site.arrived().sort()).toEqual(arrived.toSorted());
    await click(clicked(1), { 'sec-gpc': '1' });
    await click(clicked(1), { 'user-agent': 'Googlebot/2.1' });
    const automated = await click({ ...clicked(1), is_automated: true });
    await expect.poll(() => site.arrived()).toContain(automated);
    // PostHog says that it has taken these.
    capture.play({ copies: 0 });
    const lost = [await click(clicked(1))];
    await expect.poll(outbox).toEqual([]);
    capture.play({ copies: 0 });
    lost.push(await click(clicked(2)));
    await expect.poll(outbox).toEqual([]);
    capture.play({ verdicts: ['drop:event_restriction_drop'] });
    await click(clicked(1));
    await expect.poll(outbox).toMatchObject([{ refused: 'event_restriction_drop' }]);
    // PostHog has not deleted it yet.
    const emptied = `forgotten_at = 1, clicked_at = NULL WHERE id = '${arrived[4]}'`;
    await execute(site.config, `UPDATE clicks SET ${emptied}`);
    const [first] = capture.events;
    const stranger = { ...first, ...clicked(2), uuid: randomUUIDv7() } as NonNullable<typeof first>;
    capture.events.push(stranger);
    await age(site);
    capture.play({ copies: 0 });
    await click(clicked(1));
    await expect.poll(async () => (await outbox()).length).toBe(1);

    capture.world.longestAnswer = 1;
    const { out, err, code } = await site.run(['check', '--days', '3']);
    expect(table(out)).toEqual([
      ['day', 'table', 'PostHog', 'waiting', 'refused', 'PostHog lacks', 'table lacks'],
      [day(2), '3', '4', '0', '0', '1', '1'],
      [day(1), '2', '1', '1', '1', '1', '0'],
      [day(0), '1', '1', '0', '0', '0', '0'],
      ['PostHog lacks:'],
      ...lost.toReversed().map((id) => [id]),
      ['The table lacks:'],
      [stranger.uuid],
      [''],
    ]);
    expect(err).toContain(`npm run -s site -- posthog resend --since ${day(2)}`);
    expect(code).toBe(1);

    const resent = await site.run(['resend', '--since', day(3)]);
    expect(resent).toMatchObject({ out: expect.stringContaining('PostHog: 9.'), code: 0 });
    await expect.poll(outbox).toEqual([]);
    capture.events.splice(capture.events.indexOf(stranger), 1);
    const repaired = await site.run(['check', '--days', '3']);
    expect(repaired).toMatchObject({ err: '', code: 0 });
    expect(table(repaired.out)[2]).toEqual([day(1), '4', '4', '0', '0', '0', '0']);
  });
});

test('check leaves out the days whose rows the server has deleted', async () => {
  const site = await start({ site: { clickRetentionDays: 10 } });
  const { out } = await site.run(['check', '--days', '30']);
  expect(table(out)[1]?.[0]).toBe(day(9));
});

test('resend leaves out clicks that have lost their visit id, because PostHog would count them twice', async () => {
  const site = await start({ site: { personalDataDays: 10 }, jobs: [] });
  await storeRows(site.data.db, [clickRow(Date.now() - 12 * DAY_MS), clickRow(Date.now())]);
  const { out } = await site.run(['resend', '--since', day(20)]);
  expect(out).toContain('Clicks queued for PostHog: 1.');
  expect(out).toContain(`Clicks before ${day(10)} have no visit id any more, and are left out.`);
});

test('resend takes the place of a click’s refusal, and of no other', async () => {
  const site = await start({ jobs: [] });
  const [old, young] = [20, 1].map((days) => clickRow(Date.now() - days * DAY_MS));
  await storeRows(site.data.db, [old, young] as never);
  const event = randomUUIDv7();
  const refusals = [old?.id, young?.id, event].map(
    (id) => `('${id}', ${id === event ? "'{}'" : 'NULL'}, 1, 1, 1, 'event_too_big')`,
  );
  const columns = 'uuid, event, queued_at, due_at, attempts, refused';
  await execute(site.config, `INSERT INTO posthog_outbox (${columns}) VALUES ${refusals}`);
  await site.run(['resend', '--since', day(10)]);
  const outbox = await site.outbox();
  expect(outbox.map(({ uuid, refused }) => [uuid, refused])).toEqual([
    ...[old?.id, event].sort().map((id) => [id, 'event_too_big']),
    [young?.id, null],
  ]);
});

const REFUSED = { status: 403, body: `{"detail":"missing required scope 'query:read'"}` };
const FAULTS: [env: Record<string, string>, answer: Step | null, message: string][] = [
  [{ POSTHOG_PERSONAL_KEY: '' }, null, 'Set POSTHOG_PROJECT_ID'],
  [{ POSTHOG_PERSONAL_KEY: 'phx_no' }, null, 'Set POSTHOG_PERSONAL_KEY'],
  [{ POSTHOG_PROJECT_ID: '8' }, null, 'Correct POSTHOG_PROJECT_ID.'],
  [{}, REFUSED, "scope 'query:read'"],
  [{}, { status: 503, body: 'no' }, 'answers 503. Run the command again later.'],
  [{}, { status: 200, body: '<html>log in</html>' }, 'Correct posthogHost in site.json'],
  [{}, { status: 200, body: '{"results":[["x"]]}' }, 'cannot read the answer of PostHog'],
  [{}, { ending: 'cut' }, 'Check the network'],
];

test('check says what to fix, without the key', async () => {
  const site = await start({ jobs: [] });
  for (const [env, answer, message] of FAULTS) {
    if (answer) site.capture.play(answer);
    const { err, code } = await site.run(['check'], env);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(err).not.toMatch(/phx_\w/);
  }
});

/** Breakdown, display, and each step or aggregation of the tiles. */
const tilesOf = ({ insights }: Awaited<ReturnType<typeof testCapture>>['world']) =>
  insights.map(({ query: { source } }) => [
    source.breakdownFilter?.breakdown,
    source.trendsFilter?.display ?? 'funnel',
    ...source.properties.map((filter) => JSON.stringify(filter)),
    ...source.series.map(({ event, math_hogql, optionalInFunnel }) =>
      [event, math_hogql, optionalInFunnel && 'optional'].filter(Boolean).join(' '),
    ),
  ]);
/** Of each tile. */
const PEOPLE = '{"type":"event","key":"is_automated","operator":"is_not","value":["true"]}';
/** The share of visits, not of events. */
const good = (vital: string, worst: number) => {
  const [visit, value] = ['properties.visit_id', `properties.$web_vitals_${vital}_value`];
  const share = `100 * uniqIf(${visit}, toFloat(${value}) <= ${worst}) / greatest(1, uniqIf(${visit}, ${value} IS NOT NULL))`;
  return `$web_vitals ${share}`;
};
const FUNNEL = ['funnel', PEOPLE, '$pageview', 'section_viewed optional', 'cta_click'];

test('dashboard makes six tiles once, and its next run those that an interrupted one has not made', async () => {
  const { capture, run } = await start({ jobs: [] });
  const { world } = capture;
  world.dashboards.push(
    ...Array.from({ length: 100 }, (_, id) => ({ id, name: 'Another', description: '' })),
  );
  const lacks = (scope: string) => `{"detail":"API key missing required scope '${scope}'"}`;
  // The list, the dashboard, and no tile.
  capture.play({}, {}, { status: 403, body: lacks('insight:write') });
  expect((await run(['dashboard'])).err).toContain("scope 'insight:write'");
  // The list, the dashboard, and two tiles. The last answer is lost.
  capture.play({}, {}, {}, { ending: 'cut' });
  const { out, code } = await run(['dashboard']);
  expect([out, code]).toEqual(['Made the tile: From visit to click, by ref\n', 1]);
  for (const one of [...world.dashboards, ...world.insights]) one.name = 'Renamed';

  const rest = await run(['dashboard']);
  const address = `${capture.url}/project/7/dashboard/600\n`;
  expect(rest.out.split('Made the tile: ')).toHaveLength(5);
  expect(rest).toMatchObject({ code: 0, out: expect.stringContaining(address) });
  const conversion = /^if\(.*'\$pageview'\) < 30, 0, 100 \* .*'cta_click'\) \/ .*'\$pageview'\)\)$/;
  expect(tilesOf(world)).toEqual([
    ['ref_key', ...FUNNEL],
    ['utm_source', ...FUNNEL],
    ['label', 'ActionsBar', PEOPLE, 'cta_click uniq(uuid)'],
    ['referring_class', 'ActionsLineGraph', PEOPLE, '$pageview uniq(properties.visit_id)'],
    ['ref_key', 'ActionsBarValue', PEOPLE, expect.stringMatching(conversion)],
    [undefined, 'ActionsBarValue', PEOPLE, good('LCP', 2500), good('INP', 200), good('CLS', 0.1)],
  ]);
  const again = await run(['dashboard']);
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('Nothing was made.') });
  expect(again.out).toContain(address);
  expect([world.dashboards.length, world.insights.length]).toEqual([101, 6]);
});

test('the dashboard of a site with the form ends at the registration, and one with names of sites shows them', async () => {
  const { url, world } = await testCapture();
  const build = makeDist({ posthogHost: url, registerForm: true, referrerDetail: 'domain' });
  await runSite(['posthog', 'dashboard', '--build', build], KEYS);
  const [funnel, , , sites] = tilesOf(world);
  const steps = ['cta_click optional', 'registration_succeeded'];
  expect(funnel).toEqual(['ref_key', ...FUNNEL.slice(0, 4), ...steps]);
  expect(sites?.[0]).toBe('$referring_domain');
});

test('dashboard says so if PostHog makes a tile that is on no dashboard, and makes no further one', async () => {
  const { url, world } = await testCapture();
  world.takesDashboards = false;
  const build = makeDist({ posthogHost: url });
  const { err, code } = await runSite(['posthog', 'dashboard', '--build', build], KEYS);
  expect([code, world.insights.length]).toEqual([1, 1]);
  expect(err).toContain('did not put it on the dashboard');
});

test('resend names a wrong time, and each command a site without PostHog', async () => {
  const site = await start({ jobs: [] });
  const { err } = await site.run(['resend', '--since', '2026-02-31']);
  expect(err).toContain('2026-01-31T09:30:00Z');
  const build = ['--build', makeDist({ posthogKey: null })];
  for (const args of [['check'], ['dashboard'], ['resend', '--since', '2026-01-31']])
    expect((await runSite(['posthog', ...args, ...build])).err).toContain('has no posthogKey.');
});
