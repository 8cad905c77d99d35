/** A short soak. `npm run bench:soak` runs it with a million clicks, and watches memory too. */
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readTotal } from '../helpers/server/server-check.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { LONG, startServer } from '../helpers/server/server-process.ts';
import { makeTrouble } from '../helpers/soak/make-trouble.ts';
import { planClicks } from '../helpers/soak/plan-clicks.ts';
import { openDescriptors } from '../helpers/soak/process-figures.ts';

const CLICKS = LONG ? 100_000 : 2000;
const FILM = '/assets/long.Ab12Cd34.mp4';
const TROUBLE = {
  pages: ['/', '/favicon.svg', '/api/stats'],
  film: FILM,
  visitors: 4,
  slowReaders: 8,
  flood: 100,
};
/** 503 is overload: the click comes again. 0 is a connection that the server had no room for. */
const EXPECTED = [0, 200, 304, 400, 404, 408, 413, 415, 429, 431, 503, 505];

test('clicks amid page loads, slow readers, floods and garbage: each is in the ledger once, and no descriptor stays open', async () => {
  const distDir = makeDist();
  mkdirSync(join(distDir, 'client/assets'), { recursive: true });
  writeFileSync(join(distDir, 'client', FILM), '');
  truncateSync(join(distDir, 'client', FILM), 64 * 1024 * 1024);
  const env = {
    DIST_DIR: distDir,
    MAX_CONNECTIONS: '120',
    TRUST_PROXY: '1',
    RATE_LIMIT_CLICKS: '1000000',
    MAX_EVENT_LOOP_DELAY_MS: '1000',
    MAX_CLICK_WAIT_MS: '2000',
  };
  const server = await startServer({ env });
  const { port, child, ledger } = server;
  const first = planClicks(1);
  await first.send({ port, connections: 1 });
  const atStart = openDescriptors(child.pid);

  const clicks = planClicks(CLICKS);
  const trouble = makeTrouble({ ...TROUBLE, port });
  onTestFinished(trouble.stop);
  const others = await clicks.send({ port, connections: 16 });
  await trouble.stop();
  const statuses = [...others.keys(), ...trouble.answers.keys()];
  expect(statuses.filter((status) => !EXPECTED.includes(status))).toEqual([]);
  for (const [kind, times] of Object.entries(trouble.made)) expect(times, kind).toBeGreaterThan(0);
  expect(await clicks.check(ledger)).toEqual({ missing: 0, twice: 0 });
  await expect.poll(() => openDescriptors(child.pid)).toBeLessThanOrEqual(atStart);
  expect(await readTotal(server.url)).toBe(CLICKS + 1);
});
