/** Whatever PostHog answers, and also when the server is killed, each acknowledged click reaches PostHog once. */
import { randomUUIDv7 } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import type { Step } from '../helpers/fakes/posthog-capture/script.ts';
import { testCapture } from '../helpers/fakes/posthog-capture/test-capture.ts';
import { makeBody } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { startSite } from '../helpers/server/site-process.ts';

/** Clicks that the server gets while PostHog gives each answer. */
const CLICKS = 5;
/** The server gives up on the silent one after 10 s. The next clicks wait for that. */
const ANSWERS: Step[] = [{ ending: 'silent' }, { status: 503 }];

test('bad answers of PostHog, and a killed server: every acknowledged click arrives once', async () => {
  const posthog = await testCapture();
  const site = await startSite({
    DIST_DIR: makeDist({ posthogHost: posthog.url }),
    RATE_LIMIT: '0',
  });
  onTestFinished(site.remove);
  const acked: string[] = [];
  const click = async () => {
    const id = randomUUIDv7();
    const answer = await fetch(`http://127.0.0.1:${site.port}/api/log-cta`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Mozilla/5.0 Firefox/150.0' },
      body: JSON.stringify(makeBody({ id })),
    });
    expect(await answer.json()).toEqual({ status: 'logged', id });
    acked.push(id);
  };
  const clicks = () => Promise.all(Array.from({ length: CLICKS }, click));
  const arrived = () => posthog.merged().map(({ uuid }) => uuid);
  const untilAllArrived = () => expect.poll(() => arrived().sort()).toEqual(acked.sort());

  for (const step of ANSWERS) {
    const before = posthog.requests.length;
    posthog.play(step);
    await clicks();
    await expect.poll(() => posthog.requests.length).toBeGreaterThan(before);
    await untilAllArrived();
  }

  posthog.world.isDown = true;
  await clicks();
  await site.stop('SIGKILL');
  posthog.world.isDown = false;
  await site.start();
  await untilAllArrived();
  expect(new Set(arrived()).size).toBe(arrived().length);
});
