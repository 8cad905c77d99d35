/** /livez, /readyz and /healthz, above all while clicks cannot be kept: they answer quickly, and use the disk little. */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';
import { watchDisk } from '../../helpers/server/watched-disk.ts';

async function startFailing() {
  const watched = watchDisk();
  const site = await startApp({ disk: watched.disk });
  watched.break('EIO', 'sync');
  const payload = makeBody();
  const click = await site.app.inject({ method: 'POST', url: '/api/log-cta', payload });
  expect(click.statusCode).toBe(503);
  watched.events.length = 0;
  return {
    ...watched,
    app: site.app,
    health: async () => (await site.app.inject('/healthz')).json(),
  };
}

const REASON = 'The disk of DATA_DIR reports an error.';
const FAILING = { status: 'failing', faults: { clicks: 'EIO' }, reasons: [REASON] };

test('a hundred requests cause a few disk probes, and it recovers by itself', async () => {
  const site = await startFailing();
  const answers = await Promise.all(Array.from({ length: 90 }, site.health));
  for (let n = 0; n < 10; n += 1) answers.push(await site.health());
  expect(answers).toEqual(Array(100).fill(FAILING));
  // One probe for simultaneous requests, and one a second later.
  const looks = site.events.filter((event) => event === 'write clicks.jsonl').length;
  expect(looks).toBeGreaterThan(0);
  expect(looks).toBeLessThan(10);
  site.mend();
  await expect.poll(site.health).toEqual({ status: 'ready' });
});

test('a disk whose sync never ends does not delay the answer', async () => {
  const site = await startFailing();
  site.mend();
  site.hold();
  expect(await site.health()).toEqual(FAILING);
  expect(await site.health()).toEqual(FAILING);
  site.release();
  await expect.poll(site.health).toEqual({ status: 'ready' });
});

test('/livez answers 200 and /readyz 503 while the disk fails; /readyz recovers', async () => {
  const site = await startFailing();
  expect((await site.app.inject('/livez')).json()).toEqual({ status: 'ok' });
  const ready = async () => {
    const answer = await site.app.inject('/readyz');
    return [answer.statusCode, answer.json()];
  };
  expect(await ready()).toEqual([503, { status: 'failing', reasons: [REASON] }]);
  site.mend();
  await expect.poll(ready).toEqual([200, { status: 'ready' }]);
});

test('a client on another machine gets the status without the reasons', async () => {
  const { app } = await startFailing();
  for (const url of ['/healthz', '/readyz']) {
    const answer = await app.inject({ url, remoteAddress: '203.0.113.9' });
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ status: 'failing' });
  }
});

test('little free space: a warning and "degraded" while clicks are still taken', async () => {
  const { bavail, bsize } = statfsSync(tmpdir());
  const MIN_FREE_MB = String(Math.floor((bavail * bsize) / 3 / 1024 / 1024));
  const site = await startApp({ env: { MIN_FREE_MB } });
  const payload = makeBody();
  const click = await site.app.inject({ method: 'POST', url: '/api/log-cta', payload });
  expect(click.statusCode).toBe(200);
  const health = await site.app.inject('/healthz');
  expect(health.statusCode).toBe(200);
  const warning = expect.stringContaining(
    `Below ${MIN_FREE_MB} MB (MIN_FREE_MB) clicks are rejected`,
  );
  expect(health.json()).toEqual({ status: 'degraded', reasons: [warning] });
  expect((await site.app.inject('/readyz')).statusCode).toBe(200);
  expect(site.logged().map(({ msg }) => msg)).toContainEqual(warning);
});
