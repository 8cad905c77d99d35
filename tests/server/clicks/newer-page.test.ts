/** Clicks on a newer page's call to action, which this server does not know yet. */
import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CTA_EVENTS } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { postClick } from '../../helpers/server/post-click.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';

type Site = Awaited<ReturnType<typeof startApp>>;

const EVENT = 'middle_cta_click';
const ID = '019c1234-5678-7abc-8def-0123456789ab';
const readClicks = async ({ app }: Site) => (await app.inject('/api/stats')).json().clicks;

test('a click on it is kept, answered 202, and counted once in the total', async () => {
  const site = await startApp();
  const first = await postClick(site, makeBody({ event: EVENT, id: ID }));
  const again = await postClick(site, makeBody({ event: EVENT, id: ID }));
  expect([first.statusCode, first.json()]).toEqual([202, { status: 'logged', id: ID }]);
  expect([again.statusCode, again.json()]).toEqual([202, { status: 'duplicate', id: ID }]);
  expect(site.lines()).toMatchObject([{ event: EVENT, id: ID }]);
  expect(await site.rejected()).toEqual([]);
  const counts = { total: 1, by_event: { hero_cta_click: 0, lower_cta_click: 0 } };
  expect(await readClicks(site)).toMatchObject(counts);

  await site.close();
  rmSync(site.config.files.clickIndex);
  const rebuilt = await startApp({ dataDir: site.config.dataDir });
  expect(await readClicks(rebuilt)).toMatchObject(counts);
});

test('a beacon and a ping are kept too', async () => {
  const site = await startApp();
  const beacon = await postClick(
    site,
    makeBody({ event: EVENT }),
    {},
    `${LOG_CTA_PATH}?via=beacon`,
  );
  const type = { 'content-type': 'text/ping' };
  const ping = await postClick(site, 'PING', type, `${LOG_CTA_PATH}?event=${EVENT}`);
  expect([beacon.statusCode, ping.statusCode]).toEqual([202, 202]);
  expect(site.lines()).toMatchObject([
    { event: EVENT, via: 'beacon' },
    { event: EVENT, via: 'ping' },
  ]);
});

test.each([
  'other_click',
  'cta_click',
  '_cta_click',
  'Middle_cta_click',
  'middle-cta_click',
  'middle_cta_click\n',
  'middle_cta_click2',
  `${'m'.repeat(55)}_cta_click`,
])('a name of another form, %j, is a final 400', async (event) => {
  const site = await startApp();
  const answer = await postClick(site, makeBody({ event }));
  expect(answer.statusCode).toBe(400);
  expect(answer.json().error).toMatchObject({
    code: 'validation_failed',
    fields: { event: `must be one of ${CTA_EVENTS.join(', ')}` },
  });
  expect(site.lines()).toEqual([]);
});
