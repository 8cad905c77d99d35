/** The forwarder in a real server process that is killed. */
import { randomUUIDv7 } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testCapture } from '../../../helpers/fakes/posthog-capture/test-capture.ts';
import { makeBody, makeDataDir } from '../../../helpers/server/server-app.ts';
import { startServer } from '../../../helpers/server/server-process.ts';

const CLICKS = 2000;

/** A ledger of an hour ago. */
function writeLedger(dataDir: string): string[] {
  const received_at = new Date(Date.now() - 60 * 60 * 1000).toISOString();
  const lines = Array.from({ length: CLICKS }, () => ({
    ...makeBody({ visit_id: randomUUIDv7(), timestamp: received_at }),
    ...{ id: randomUUIDv7(), is_bot: false, received_at, remote_ip: '203.0.113.7' },
  }));
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  writeFileSync(join(dataDir, 'clicks.jsonl'), text);
  return lines.map(({ id }) => id);
}

test('a server that is killed and restarted while it sends loses no click, and doubles none', async () => {
  const posthog = await testCapture();
  const dataDir = makeDataDir();
  const ids = writeLedger(dataDir);
  const env = { POSTHOG_HOST: posthog.url, POSTHOG_FORWARD_AFTER_S: '60' };
  for (const share of [0.2, 0.5]) {
    const server = await startServer({ dataDir, env });
    await expect
      .poll(() => posthog.merged().length, { interval: 1 })
      .toBeGreaterThan(CLICKS * share);
    await server.stop('SIGKILL');
  }
  expect(posthog.merged().length).toBeLessThan(CLICKS);
  const last = await startServer({ dataDir, env });
  await expect.poll(() => posthog.merged().length).toBe(CLICKS);
  expect(
    posthog
      .merged()
      .map(({ uuid }) => uuid)
      .sort(),
  ).toEqual(ids.sort());
  // Only the batches that were under way are sent again.
  expect(posthog.events.length).toBeLessThanOrEqual(CLICKS + 2 * 100);
  expect(await last.stop('SIGTERM')).toBe(0);
});

test('a server whose PostHog does not answer stops at once', async () => {
  const posthog = await testCapture();
  posthog.play({ ending: 'silent' });
  const dataDir = makeDataDir();
  writeLedger(dataDir);
  const env = { POSTHOG_HOST: posthog.url, POSTHOG_FORWARD_AFTER_S: '60' };
  const server = await startServer({ dataDir, env });
  await expect.poll(() => posthog.requests.length).toBe(1);
  expect(await server.stop('SIGTERM')).toBe(0);
});
