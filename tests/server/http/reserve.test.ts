/**
 * The last free space of the disk is for clicks. tests/faults/disk.test.ts shows it on a small
 * disk.
 */
import { expect, test, vi } from 'vitest';
import { VIEW_PATH } from '#contract/limits.ts';
import { browserEvent } from '../../helpers/fakes/browser-event.ts';
import { pageView } from '../../helpers/fakes/page-view.ts';
import { postPerson } from '../../helpers/server/registrations.ts';
import { ADMIN_PASSWORD, withPassword } from '../../helpers/server/scrape.ts';
import { makeBody, type Site, startApp } from '../../helpers/server/server-app.ts';

const MB = 1024 ** 2;
const LOW =
  'Only clicks are taken, because the disk of DATA_DIR has less than 256 MB left (CLICK_RESERVE_MB). Visits, events and registrations get 503. Free some space.';
const FREE = 'Visits, events and registrations are taken again';

const view = pageView();

const statuses = async (site: Site) => ({
  view: (await site.postClick(view, {}, VIEW_PATH)).statusCode,
  event: (await site.postEvents(browserEvent())).statusCode,
  registration: (await postPerson(site)).statusCode,
  click: (await site.postClick(makeBody())).statusCode,
});
const stored = async ({ rows }: Site) => ({
  views: (await rows('SELECT id FROM visits')).length,
  events: (await rows('SELECT uuid FROM posthog_outbox WHERE event IS NOT NULL')).length,
  registrations: (await rows('SELECT id FROM registrations')).length,
  clicks: (await rows('SELECT id FROM clicks')).length,
});
const reasons = async ({ app }: Site) =>
  (await app.inject({ url: '/healthz', headers: withPassword(ADMIN_PASSWORD) })).json().reasons;

test('below the reserve only clicks are taken, and /healthz says why; with more room all is taken again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let free = 256 * MB - 1;
  const site = await startApp({ env: { ADMIN_PASSWORD }, parts: { freeBytes: async () => free } });
  expect(await statuses(site)).toEqual({ view: 503, event: 503, registration: 503, click: 200 });
  expect(await stored(site)).toEqual({ views: 0, events: 0, registrations: 0, clicks: 1 });
  expect(await reasons(site)).toContain(LOW);
  free = 256 * MB;
  vi.advanceTimersByTime(1000);
  expect(await statuses(site)).toEqual({ view: 200, event: 200, registration: 201, click: 200 });
  expect(await stored(site)).toEqual({ views: 1, events: 2, registrations: 1, clicks: 2 });
  expect(await reasons(site)).not.toContain(LOW);
  const said = site.logged().map(({ msg }) => msg);
  expect(said.filter((text) => text === LOW || text === FREE)).toEqual([LOW, FREE]);
});

test('CLICK_RESERVE_MB=0 leaves clicks no reserve', async () => {
  const env = { CLICK_RESERVE_MB: '0' };
  const site = await startApp({ env, parts: { freeBytes: async () => 0 } });
  expect(await statuses(site)).toEqual({ view: 200, event: 200, registration: 201, click: 200 });
});
