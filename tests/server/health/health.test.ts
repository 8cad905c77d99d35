/** /healthz while clicks cannot be kept: it answers quickly, and uses the disk little. */
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
  return { ...watched, health: async () => (await site.app.inject('/healthz')).json() };
}

const FAILING = { status: 'failing', faults: { clicks: 'EIO' } };

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
