/** A server that cannot keep up: clicks get 503 and come again, everything else answers, and nothing acknowledged is lost. */
import { expect, onTestFinished, test } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { newId } from '../../server/database/new-id.ts';
import { postClick } from '../helpers/server/post-click.ts';
import { makeBody, startApp } from '../helpers/server/server-app.ts';
import { watchDisk } from '../helpers/server/watched-disk.ts';

type Site = Awaited<ReturnType<typeof startApp>>;

/** About a hundred clicks are enough to reach the limit. */
const MOST = 3000;
const WAIT = { timeout: 60_000 };

/** Clicks until the server refuses one. @returns the refusal, and the answers of the clicks before it */
async function clickUntilRefused(site: Site) {
  const taken: { id: string; answer: ReturnType<typeof postClick> }[] = [];
  while (taken.length < MOST) {
    const id = newId();
    const answer = postClick(site, makeBody({ id }));
    // A taken click is not answered while the disk hangs, and a refused one is answered at once.
    const turn = new Promise<null>((resolve) => setTimeout(resolve, 5, null));
    const first = await Promise.race([answer, turn]);
    if (first?.statusCode === 503) return { id, refusal: first, taken };
    taken.push({ id, answer });
  }
  throw new Error(`${MOST} clicks wait, and none was refused`);
}

/** Everything but clicks answers, and says what is wrong. */
async function expectDegraded({ app }: Site, reason: RegExp): Promise<void> {
  expect((await app.inject('/')).statusCode).toBe(200);
  expect((await app.inject('/livez')).statusCode).toBe(200);
  const health = await app.inject('/healthz');
  expect([health.statusCode, health.json()]).toEqual([
    200,
    { status: 'degraded', reasons: [expect.stringMatching(reason)] },
  ]);
}

const overloads = (site: Site) =>
  site
    .logged()
    .map(({ msg }) => String(msg))
    .filter((msg) => /overload/i.test(msg));

test('a disk that hangs: new clicks get 503 at once, the waiting ones are kept, and then all are taken', async () => {
  const { disk, hold, release } = watchDisk();
  const site = await startApp({ disk, env: { MAX_CLICK_WAIT_MS: '300' } });
  onTestFinished(release);
  hold();
  const { id, refusal, taken } = await clickUntilRefused(site);
  expect(refusal.headers['retry-after']).toBe('5');
  expect(refusal.json()).toMatchObject({ error: { code: 'unavailable' } });
  expect((await postClick(site, makeBody())).statusCode).toBe(503);
  await expectDegraded(
    site,
    /overloaded: the oldest click has waited \d+ ms .*MAX_CLICK_WAIT_MS=300/,
  );

  release();
  for (const { answer } of taken) expect((await answer).statusCode).toBe(200);
  const again = async () => (await postClick(site, makeBody({ id }))).json().status;
  await expect.poll(again, WAIT).toBe('logged');
  expect(site.lines().map((line) => line.id)).toEqual([...taken.map((click) => click.id), id]);
  expect(overloads(site)).toEqual([expect.stringMatching(/^The server is overloaded: /)]);
});

test('an event loop that is blocked again and again: clicks and events get 503, then it recovers', async () => {
  const site = await startApp({ env: { MAX_EVENT_LOOP_DELAY_MS: '50' } });
  let isBusy = true;
  onTestFinished(() => {
    isBusy = false;
  });
  const block = () => {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250);
    if (isBusy) setTimeout(block);
  };
  block();
  const acked: string[] = [];
  const statusOf = async (url: string) => {
    const id = newId();
    const { statusCode } = await postClick(site, makeBody({ id }), {}, url);
    if (statusCode === 200 && url === LOG_CTA_PATH) acked.push(id);
    return statusCode;
  };
  await expect.poll(() => statusOf(LOG_CTA_PATH), WAIT).toBe(503);
  expect(await statusOf('/k/e/')).toBe(503);
  await expectDegraded(
    site,
    /overloaded: the event loop runs \d+ ms late .*MAX_EVENT_LOOP_DELAY_MS/,
  );
  isBusy = false;
  await expect.poll(() => statusOf(LOG_CTA_PATH), WAIT).toBe(200);
  expect(site.lines().map(({ id }) => id)).toEqual(acked);
});
