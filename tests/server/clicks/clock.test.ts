/**
 * A server whose own clock is wrong: no browser's click is refused for it, and operators read of
 * it.
 */
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../server/time.ts';
import { ADMIN_PASSWORD, readReasons } from '../../helpers/server/scrape.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

/** Starts a server behind a proxy, whose clock is off by so many days. */
async function start(daysAhead: number) {
  const clocks = { now: Date.now() + daysAhead * DAY_MS, uptime: 0 };
  const site = await startApp({
    env: { ADMIN_PASSWORD, TRUST_PROXY: '1' },
    now: () => clocks.now,
    uptime: () => clocks.uptime,
    jobs: [],
  });
  /**
   * @param from the last part of an address
   * @param madeDays when the id was made, in days from now
   */
  const click = async (from: number, madeDays = 0) => {
    const body = makeBody({ id: v7({ msecs: Date.now() + madeDays * DAY_MS }) });
    const headers = { 'x-forwarded-for': `198.51.100.${from}` };
    const answer = await site.postClick(body, headers);
    return answer.json().error?.code ?? answer.json().status;
  };
  const reasons = () => readReasons(site);
  return { ...site, clocks, click, reasons };
}

const CODES = [
  { daysAhead: 60, code: 'id_too_old', seems: 'ahead' },
  { daysAhead: -60, code: 'id_ahead', seems: 'behind' },
];

test.each(CODES)(
  'with a clock that is $daysAhead days ahead, the tenth browser and all after it keep their clicks',
  async ({ daysAhead, code, seems }) => {
    const site = await start(daysAhead);
    for (let from = 1; from <= 9; from += 1) expect(await site.click(from)).toBe(code);
    expect(await site.reasons()).not.toContainEqual(expect.stringContaining('clock'));
    for (const from of [10, 11, 1]) expect(await site.click(from)).toBe('clock_in_doubt');
    const said = new RegExp(
      `^The server's clock seems to be ${seems}: it says .+, and \\d+ of \\d+ clicks`,
    );
    expect(await site.reasons()).toContainEqual(expect.stringMatching(said));
    const lines = site.logged().filter(({ msg }) => said.test(String(msg)));
    expect(lines).toMatchObject([{ level: 50 }]);
    // A click whose id is of the server's time is stored as ever.
    expect(await site.click(12, daysAhead)).toBe('logged');
    expect(site.refused()).toHaveLength(9);
  },
);

test('while at least half of the clicks have the time of the server, a wrong clock is a browser’s', async () => {
  const site = await start(0);
  for (let from = 1; from <= 12; from += 1) {
    expect(await site.click(100 + from)).toBe('logged');
    expect(await site.click(from, -60)).toBe('id_too_old');
  }
  expect(await site.click(13, -60)).toBe('clock_in_doubt');
});

test('one address, also one of many of a home, does not bring the clock into doubt', async () => {
  const site = await start(0);
  for (let n = 0; n < 30; n += 1) {
    const headers = { 'x-forwarded-for': n % 2 ? '198.51.100.1' : `2001:db8:1:2::${n}` };
    const answer = await site.postClick(makeBody({ id: v7({ msecs: 1 }) }), headers);
    expect(answer.json().error.code).toBe('id_too_old');
  }
});

test('an hour later, or with the clock set right, the doubt is over', async () => {
  const site = await start(60);
  for (let from = 1; from <= 10; from += 1) await site.click(from);
  expect(await site.click(1)).toBe('clock_in_doubt');
  site.clocks.now = Date.now();
  for (let n = 0; n < 12; n += 1) expect(await site.click(20)).toBe('logged');
  expect(await site.reasons()).not.toContainEqual(expect.stringContaining('clock'));
  expect(await site.click(1, -60)).toBe('id_too_old');
  site.clocks.uptime = HOUR_MS + 1;
  expect(await site.click(1, -60)).toBe('id_too_old');
});

test('a refused answer to a click in doubt says when to send it again', async () => {
  const site = await start(60);
  for (let from = 1; from <= 10; from += 1) await site.click(from);
  const { statusCode, headers } = await site.postClick(makeBody({ id: v7() }));
  expect([statusCode, headers['retry-after']]).toEqual([503, '60']);
});
