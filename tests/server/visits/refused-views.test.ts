/** POST /k/visit over its limits, and while the database takes nothing. */
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { VIEW_PATH } from '#contract/limits.ts';
import { DatabaseFault } from '../../../server/database/database.ts';
import { pageView } from '../../helpers/fakes/page-view.ts';
import { execute } from '../../helpers/server/databases.ts';
import { makeBody } from '../../helpers/server/server-app.ts';
import { startViewSite } from '../../helpers/server/view-site.ts';

const LOCKED = new DatabaseFault('database is locked', 'sqlite-5');

test('over its limit an address gets 503, and nothing of the view is stored', async () => {
  // Its budget of a minute is a fifth of the clicks' limit, and at least one view.
  const { view, visits, waiting } = await startViewSite({ env: { RATE_LIMIT: '1' } });
  for (const expected of [200, 503, 503]) {
    const { status, headers } = await view(pageView());
    expect(status).toBe(expected);
    if (status === 503) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
  expect(await visits()).toHaveLength(1);
  expect(await waiting()).toHaveLength(1);
});

test('while the database takes nothing, a view that comes again uses up no budget', async () => {
  // One page view a minute.
  const { view, data } = await startViewSite({ env: { RATE_LIMIT: '5' }, jobs: [] });
  const failing = vi.spyOn(data.db, 'transaction').mockRejectedValue(LOCKED);
  await data.health.probe();
  const sent = pageView();
  for (let tries = 0; tries < 3; tries += 1) expect((await view(sent)).status).toBe(503);
  failing.mockRestore();
  await data.health.probe();
  expect((await view(sent)).status).toBe(200);
});

test('a view whose event cannot be stored gets 503, and counts once when it comes again; clicks go on', async () => {
  const site = await startViewSite();
  const sent = pageView();
  const failing = `CREATE TRIGGER failing BEFORE INSERT ON posthog_outbox WHEN new.event IS NOT NULL
    BEGIN SELECT RAISE(ABORT, 'broken'); END`;
  await execute(site.config, failing);
  expect((await site.view(sent)).status).toBe(503);
  // The row was stored with its event, or not at all.
  expect(await site.visits()).toEqual([]);
  expect((await site.postClick(makeBody())).statusCode).toBe(200);
  await execute(site.config, 'DROP TRIGGER failing');
  expect((await site.view(sent)).body).toEqual({ status: 'logged' });
  expect((await site.view(sent)).body).toEqual({ status: 'duplicate' });
  expect(await site.waiting()).toHaveLength(1);
});

test('of 21 bodies of an address that do not arrive one gives way, and clicks go on', async () => {
  const { app, postClick } = await startViewSite();
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as AddressInfo;
  const sockets = Array.from({ length: 21 }, () => {
    const socket = connect({ port, host: '127.0.0.1' });
    onTestFinished(() => void socket.destroy());
    const head = `POST ${VIEW_PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain`;
    socket.write(`${head}\r\nContent-Length: 9\r\n\r\n{`);
    return socket;
  });
  await Promise.race(sockets.map((socket) => once(socket, 'close')));
  expect((await postClick(makeBody())).statusCode).toBe(200);
});
