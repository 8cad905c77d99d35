/** Servers that end under load. `npm run bench -- kills` kills more often. */
import { expect, test } from 'vitest';
import { findPostgres } from '../helpers/run/find-programs.ts';
import { seededRandom } from '../helpers/run/seeded-random.ts';
import { ownPostgres, postgresEnv } from '../helpers/server/databases.ts';
import { testCapture } from '../helpers/server/posthog-site.ts';
import { expectKept } from '../helpers/server/server-check.ts';
import { insist, makeLoad, startLoad, untilAcked } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

const KILLS = Number(process.env.KILLS ?? 0);
const LIMIT_MS = 120_000 * Math.max(1, KILLS / 10);
/** The most clicks that a server answers before it ends. */
const MOST_CLICKS = 600;
/** Returns a new number of clicks with each call. */
function numbersOfClicks(): () => number {
  const random = seededRandom();
  return () => Math.ceil(random() * MOST_CLICKS);
}

/**
 * Kills a server again and again while clients send clicks. They repeat the unanswered ones, as
 * browsers do. PostHog gives bad answers, none for 10 s, and gets each click once.
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
  // A click with a 503 may be stored or not. Its browser sends it again.
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
    const postgres = await ownPostgres();
    await killRounds(KILLS || 2, postgresEnv(await postgres.createDatabase()));
  },
  LIMIT_MS,
);

test('SIGTERM under load, with a reader of standard output that does not read, and then ends: no click waits or is lost', async () => {
  const someClicks = numbersOfClicks();
  const server = await startServer();
  server.child.stdout.pause();
  const { load, stop } = startLoad(server.url);
  // A pipe has room for 64 KB; a line has about 500 bytes.
  await untilAcked(load, 1000);
  server.child.stdout.destroy();
  await untilAcked(load, someClicks());
  // After its time limit of four seconds it would exit with 1.
  expect(await server.stop('SIGTERM')).toBe(0);
  await stop();
  await expectKept(server, load);
});
