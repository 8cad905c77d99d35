/** Servers that are killed or stopped under load. `npm run bench -- kills` kills more often. */
import { expect, test } from 'vitest';
import { findPostgres } from '../helpers/run/find-programs.ts';
import { seededRandom } from '../helpers/run/seeded-random.ts';
import { postgresEnv, startOwnPostgres } from '../helpers/server/databases.ts';
import { testCapture } from '../helpers/server/posthog-site.ts';
import { expectKept } from '../helpers/server/server-check.ts';
import { insist, makeLoad, startLoad, untilAcked } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

const KILLS = Number(process.env.KILLS ?? 0);
const LIMIT_MS = 120_000 * Math.max(1, KILLS / 10);
/** Most clicks that a server acknowledges before it is killed. */
const MOST_CLICKS = 600;

/** Returns a new number of clicks with each call. */
function numbersOfClicks(): () => number {
  const random = seededRandom();
  return () => Math.ceil(random() * MOST_CLICKS);
}

/**
 * Kills a server again and again while clients send clicks, and repeat those without an answer, as
 * browsers do. PostHog fails three times, once by not answering for 10 s. Expects that every
 * acknowledged click is stored once and is at PostHog.
 */
async function killRounds(rounds: number, env: Record<string, string>): Promise<void> {
  const load = makeLoad();
  const someClicks = numbersOfClicks();
  const posthog = await testCapture();
  const site = { posthogHost: posthog.url };
  posthog.play({ status: 503 }, { ending: 'cut' }, { ending: 'silent' });
  let server = await startServer({ env, site });
  const { dataDir } = server;
  for (let round = 1; round <= rounds; round += 1) {
    const { stop } = startLoad(server.url, load);
    await untilAcked(load, someClicks());
    await server.stop('SIGKILL');
    await stop();
    server = await startServer({ dataDir, env, site });
  }
  const { stop } = startLoad(server.url, load);
  await untilAcked(load, load.unanswered.size + 1);
  await stop();
  expect([...load.others.keys()].filter((status) => status !== 503)).toEqual([]);
  // A click that was answered 503 may be stored or not, so that browsers send it again.
  for (const id of load.unanswered) {
    await insist(server.url, id);
    load.acked.add(id);
  }
  const arrived = () => posthog.merged().map(({ uuid }) => uuid);
  await expect.poll(() => arrived().length).toBe(load.acked.size);
  expect(new Set(arrived())).toEqual(load.acked);
  expect(await server.stop('SIGTERM')).toBe(0);
  const stored = await expectKept(server, load);
  expect(stored).toBe(load.acked.size);
  process.stdout.write(`${rounds} kills: ${stored} acknowledged, 0 lost, 0 twice\n`);
}

test(
  'SIGKILL under load on SQLite: no acknowledged click is lost, none counts twice',
  () => killRounds(KILLS || 4, {}),
  LIMIT_MS,
);

test.skipIf(!findPostgres())(
  'SIGKILL under load on PostgreSQL: no acknowledged click is lost, none counts twice',
  async () => {
    const postgres = await startOwnPostgres();
    await killRounds(KILLS || 2, postgresEnv(await postgres.createDatabase()));
  },
  LIMIT_MS,
);

test('SIGTERM under load, with a reader of standard output that does not read, and then ends: no click waits or is lost', async () => {
  const someClicks = numbersOfClicks();
  const server = await startServer();
  server.child.stdout.pause();
  const { load, stop } = startLoad(server.url);
  // 1,000 lines of about 500 bytes do not fit into the pipe, which has 64 KB.
  await untilAcked(load, 1000);
  server.child.stdout.destroy();
  await untilAcked(load, someClicks());
  // A shutdown that takes longer than four seconds would end with exit code 1.
  expect(await server.stop('SIGTERM')).toBe(0);
  await stop();
  await expectKept(server, load);
});
