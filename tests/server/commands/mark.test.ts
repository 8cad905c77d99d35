/** `site mark`: a flood leaves every figure, and one marking comes back exactly as it was. */
import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import { mark } from '../../../server/commands/mark.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../server/time.ts';
import { DATABASES, execute } from '../../helpers/server/databases.ts';
import { clickRow, storeRows, visitRow } from '../../helpers/server/rows.ts';
import { runPrinting, runSite } from '../../helpers/server/run-site.ts';
import { makeBody, type Site, startApp } from '../../helpers/server/server-app.ts';

const AT = Date.parse('2026-11-20T10:00:00Z');
const NOW = AT + DAY_MS;
const PERIOD = ['--since', '2026-11-20T10:00Z', '--until', '2026-11-20T11:00Z'];
const LAST_PAGE = '/help/';
const FLOOD = '203.0.113.9';

const repeat = <T>(n: number, make: (i: number) => T) =>
  Array.from({ length: n }, (_, i) => make(i));

/** More than the command marks in one transaction, and in two of them. */
const MANY = { clicks: 520, visits: 1100 };

/** A flood of one link beside the usual clicks and visits. Visits have the minute as their time. */
async function startFlooded(env: Record<string, string>, flood = { clicks: 20, visits: 30 }) {
  const site = await startApp({ env, now: () => NOW, jobs: [] });
  const { data, config } = site;
  const ofFlood = (i: number) => ({
    referrer: 'clinic-7',
    ip: i % 2 ? FLOOD : null,
    remote_ip: FLOOD,
  });
  const ofFamily = {
    referrer: 'clinic-7',
    referring_class: 'search' as const,
    remote_ip: '198.51.100.1',
  };
  const clicks = [
    ...repeat(flood.clicks, (i) => clickRow(AT + i, ofFlood(i))),
    ...repeat(3, (i) =>
      clickRow(AT + i, { ...ofFlood(0), event: 'lower_cta_click', referrer: null }),
    ),
    // Each of these stays as it is: it was marked before, or it is not of the flood.
    clickRow(AT + 1, { ...ofFlood(0), is_bot: true }),
    clickRow(AT + 1, { ...ofFlood(0), is_internal: true }),
    clickRow(AT + 2, { ...ofFamily, referrer: 'clinic-8' }),
    clickRow(AT - 1, ofFamily),
    clickRow(AT + HOUR_MS, ofFamily),
    ...repeat(2, (i) => clickRow(AT - 7 * DAY_MS + i, ofFamily)),
    clickRow(AT - 28 * DAY_MS, ofFamily),
  ];
  const visits = [
    ...repeat(flood.visits, () =>
      visitRow(AT, { referrer: 'clinic-7', referring_class: 'direct' }),
    ),
    visitRow(AT + MINUTE_MS, { referrer: 'clinic-7', referring_class: 'search' }),
    ...repeat(2, () => visitRow(AT + 2 * MINUTE_MS, { referrer: 'clinic-7', page: LAST_PAGE })),
    visitRow(AT, { referrer: 'clinic-7', is_bot: true }),
    visitRow(AT, { referrer: 'clinic-8' }),
    visitRow(AT - 14 * DAY_MS, { referrer: 'clinic-7', referring_class: 'direct' }),
  ];
  await storeRows(data.db, clicks, visits);
  const all = { ...env, DATA_DIR: config.dataDir };
  return { site, mark: (...args: string[]) => runSite(['mark', ...args], all) };
}

const COUNTS = `SELECT day, event, is_bot, SUM(n) AS n FROM click_counts
  GROUP BY day, event, is_bot HAVING SUM(n) <> 0 ORDER BY day, event, is_bot`;

/** All rows, and the counts. */
const snapshot = async ({ rows }: Site) => ({
  clicks: await rows('SELECT * FROM clicks ORDER BY id'),
  visits: await rows('SELECT * FROM visits ORDER BY id'),
  counts: await rows(COUNTS),
  markings: await rows('SELECT * FROM markings'),
});

/** Clicks of people, from which the public statistics round down. */
async function publicTotal(site: Site): Promise<number> {
  const [row] = await site.rows('SELECT SUM(n) AS n FROM click_counts WHERE NOT is_bot');
  return Number(row?.n);
}

describe.each(DATABASES)('on $name', ({ makeEnv }) => {
  test('a flood of one link and hour leaves every figure, and all is as before after --undo', async () => {
    const { site, mark } = await startFlooded(await makeEnv());
    const before = await snapshot(site);
    const asked = await mark('--as', 'robot', '--ref', 'clinic-7', ...PERIOD);
    expect(asked).toMatchObject({ code: 1, err: expect.stringContaining('Nothing is marked.') });
    expect(asked.out).toBe(`It would mark as robot, from 2026-11-20T10:00Z until 2026-11-20T11:00Z:
  clicks: 20. Usual: 2, 0, 0, 1.
  visits: 33. Usual: 0, 1, 0, 0.
Usual: in the same hours 1, 2, 3, 4 weeks before.
`);
    expect(await snapshot(site)).toEqual(before);

    // A code in any spelling.
    const { out, code } = await mark('--as', 'robot', '--ref', 'CLINIC-7.', ...PERIOD, '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('Marked clicks: 20, of which')]);
    expect(out).toContain('Marked visits: 33.');
    const after = await snapshot(site);
    const isChanged = (row: object, i: number) => !isDeepStrictEqual(row, before.clicks[i]);
    const changed = after.clicks.filter(isChanged);
    expect(changed.length).toBe(20);
    expect(new Set(changed.map(({ is_bot, referrer }) => `${is_bot} ${referrer}`))).toEqual(
      new Set(['true clinic-7']),
    );
    const id = String(changed[0]?.marking);
    expect(after.counts.filter(({ is_bot }) => is_bot)).toMatchObject([{ n: 21 }]);
    expect(await publicTotal(site)).toBe(before.clicks.length - 20 - 2);

    const list = await mark('--list');
    expect(list.out).toMatch(new RegExp(`^${id}  \\S+Z  robot  clicks: 20  visits: 33\\n$`));
    const undone = await mark('--undo', id);
    expect(undone).toMatchObject({
      code: 0,
      out: 'Taken back: 20 clicks, 33 visits. They count again.\n',
    });
    expect(await snapshot(site)).toEqual(before);
    expect(await mark('--undo', id)).toMatchObject({ code: 1, out: '' });
  });

  test('an address, a kind of site and rows without a link are marked alone, one marking after the other', async () => {
    const { site, mark } = await startFlooded(await makeEnv());
    const before = await snapshot(site);
    const byAddress = await mark('--as', 'internal', '--ip', FLOOD, ...PERIOD, '--yes');
    expect(byAddress.out).toContain('Marked clicks: 23');
    expect(byAddress.out).toContain('Visits have no address.');
    const [counted] = await site.rows('SELECT CAST(SUM(n) AS INTEGER) AS n FROM click_counts');
    expect(counted).toEqual({ n: before.clicks.length - 1 - 23 });
    // What is marked already is not marked again, and keeps its marking.
    const all = await mark('--as', 'robot', ...PERIOD, '--only', 'clicks', '--yes');
    expect(all.out).toContain('Marked clicks: 1,');
    const byClass = await mark('--as', 'robot', '--class', 'direct', ...PERIOD, '--yes');
    expect(byClass.out).toMatch(/Marked clicks: 0.*Marked visits: 30/s);
    const withoutLink = await mark('--as', 'robot', '--ref', 'none', '--yes', ...PERIOD);
    expect(withoutLink).toMatchObject({ code: 1, err: 'There is nothing to mark.\n' });
    // In another order than they were made.
    const ids = (await site.rows('SELECT id FROM markings ORDER BY marked_as, made_at')).map(
      ({ id }) => String(id),
    );
    expect(ids.length).toBe(3);
    for (const id of ids) expect((await mark('--undo', id)).code).toBe(0);
    expect(await snapshot(site)).toEqual(before);
  });

  test('of a site, the clicks and visits are marked under its name or any of its hosts', async () => {
    const env = await makeEnv();
    const site = await startApp({ env, now: () => NOW, jobs: [] });
    const sites = [
      { referring_class: 'social' as const, referring_site: 'Facebook' },
      { referring_class: 'other' as const, referring_site: 'clinic.example' },
      { referring_class: 'social' as const, referring_site: 'Instagram' },
      { referring_class: 'direct' as const },
    ];
    const clicks = sites.map((from, i) => clickRow(AT + i, from));
    const visits = sites.flatMap((from) => [visitRow(AT, from), visitRow(AT, from)]);
    await storeRows(site.data.db, clicks, visits);
    const all = { ...env, DATA_DIR: site.config.dataDir };
    const ask = (...args: string[]) =>
      runSite(['mark', '--as', 'robot', ...PERIOD, ...args], all).then(({ out, err }) => out + err);
    for (const name of ['Facebook', 'facebook', 'l.facebook.com', 'm.facebook.com'])
      expect(await ask('--site', name), name).toMatch(/clicks: 1\. .*visits: 2\. /s);
    expect(await ask('--class', 'social')).toMatch(/clicks: 2\. .*visits: 4\. /s);
    expect(await ask('--class', 'other', '--site', 'Facebook')).toContain('nothing to mark');
    expect(await ask('--site', 'none')).toMatch(/clicks: 1\. .*visits: 2\. /s);
    expect(await ask('--site', 'facebook.example')).toContain('"referrerDetail": "domain"');
    const marked = await ask('--site', 'www.clinic.example', '--yes');
    expect(marked).toMatch(/Marked clicks: 1.*Marked visits: 2\./s);
    for (const [table, n] of Object.entries({ clicks: 1, visits: 2 })) {
      const rows = await site.rows(`SELECT referring_site FROM ${table} WHERE is_bot`);
      expect(rows).toEqual(repeat(n, () => ({ referring_site: 'clinic.example' })));
    }
  });

  test('of a network, the clicks of all its addresses are marked, and no others', async () => {
    const env = await makeEnv();
    const site = await startApp({ env, now: () => NOW, jobs: [] });
    const from = (at: number, remote_ip: string | null) => clickRow(at, { ip: null, remote_ip });
    const addresses = ['203.0.113.9', '203.0.113.200', '203.0.112.1', '2001:db8:0:5::1', null];
    const clicks = addresses.map((address, i) => from(AT + MINUTE_MS + i, address));
    // More than one slice of others comes before the network's.
    const others = repeat(MANY.clicks, (i) => from(AT + i, '198.51.100.1'));
    await storeRows(site.data.db, [...others, ...clicks], []);
    const all = { ...env, DATA_DIR: site.config.dataDir };
    const ask = (network: string, ...args: string[]) =>
      runSite(['mark', '--as', 'robot', '--ip', network, ...PERIOD, ...args], all);
    for (const [network, n] of Object.entries({
      '203.0.112.0/23': 3,
      '203.0.113.128/25': 1,
      '203.0.113.9/32': 1,
      '2001:db8::/48': 1,
      '2001:db8:0:4::/63': 1,
    }))
      expect((await ask(network)).out).toContain(`clicks: ${n}. Usual: 0`);
    expect((await ask('203.0.113.0/24', '--yes')).out).toContain('Marked clicks: 2,');
    const rows = await site.rows('SELECT remote_ip FROM clicks WHERE is_bot ORDER BY id');
    expect(rows.map(({ remote_ip }) => remote_ip)).toEqual(addresses.slice(0, 2));
  });

  test('a command that ends in the middle, of a marking or of an --undo, can run again', async () => {
    const { site, mark } = await startFlooded(await makeEnv(), MANY);
    const before = await snapshot(site);
    /** The database refuses to change the last two visits. */
    const failAt = (marked: string) =>
      execute(site.config, `CREATE UNIQUE INDEX failing ON visits (page) WHERE ${marked}`);
    const mend = () => execute(site.config, 'DROP INDEX failing');
    const flood = ['--as', 'robot', '--ref', 'clinic-7', ...PERIOD, '--yes'];
    await failAt(`page = '${LAST_PAGE}' AND marking IS NOT NULL`);
    expect((await mark(...flood)).code).toBe(1);
    const halfway = await site.rows('SELECT id FROM visits WHERE marking IS NOT NULL');
    expect(halfway.length).toBe(1000);
    await mend();
    expect((await mark(...flood)).out).toContain('Marked visits: 103.');
    await failAt(`page = '${LAST_PAGE}' AND marking IS NULL`);
    const ids = (await mark('--list')).out.match(/^[\da-f]{8}/gm) ?? [];
    const undo = async (id = '') => (await mark('--undo', id)).code;
    expect([await undo(ids[0]), await undo(ids[1])]).toEqual([0, 1]);
    await mend();
    expect(await undo(ids[1])).toBe(0);
    expect(await snapshot(site)).toEqual(before);
  });
});

test('at a terminal the command asks; every faulty question changes nothing', async () => {
  const site = await startApp();
  const env = { DATA_DIR: site.config.dataDir };
  await site.postClick(makeBody({ id: randomUUIDv7() }));
  const answer = (isYes: boolean) =>
    runPrinting(() => mark({ as: 'robot', ref: 'clinic-7' }, async () => isYes), env);
  await expect(answer(false)).rejects.toThrow('Nothing is marked.');
  for (const [args, message] of [
    [['--ref', 'clinic-7'], 'Name the mark'],
    [['--as', 'robot'], 'Name the rows'],
    [['--as', 'visitor', '--ref', 'clinic-7'], 'Allowed choices are robot, internal'],
    [['--as', 'robot', '--ip', '203.0.113.7', '--only', 'visits'], 'Visits have no address.'],
    [['--as', 'robot', '--ip', '203.0.113'], 'It must be an IPv4'],
    [['--as', 'robot', '--ip', '203.0.113.0/33'], 'or a network such as 203.0.113.0/24'],
    [['--as', 'robot', '--ip', '203.0.113.0/24', '--only', 'visits'], 'Visits have no address.'],
    [['--as', 'robot', '--since', 'yesterday'], 'It must be a date or a time'],
    [['--as', 'robot', '--since', '2030-01-01', '--yes'], 'There is nothing to mark.'],
    [['--undo', '00000000'], 'There is no marking 00000000.'],
    [['--undo', 'x'], 'It must be the id of a marking.'],
  ] as const) {
    const { code, err } = await runSite(['mark', ...args], env);
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
  }
  expect(await site.rows('SELECT * FROM clicks WHERE is_bot OR is_internal')).toEqual([]);
  expect(await site.rows('SELECT * FROM markings')).toEqual([]);
  expect((await answer(true)).out).toContain('Marked clicks: 1');
});
