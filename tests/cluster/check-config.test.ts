/** --check-config with the real services: PostgreSQL, Redis and NATS. */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startNats } from '../helpers/cluster/nats.ts';
import { startPostgres } from '../helpers/cluster/postgres.ts';
import { startRedis } from '../helpers/cluster/redis.ts';
import { checkConfig } from '../helpers/server/check-config.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

test('running services are not mentioned, and nothing is written; frozen ones and a cluster without a quorum are named', async () => {
  const [postgres, redis, nats] = await Promise.all([startPostgres(), startRedis(), startNats()]);
  onTestFinished(() =>
    Promise.all([postgres.remove(), redis.remove(), nats.remove()]).then(() => {}),
  );
  const env = {
    DATA_DIR: makeDataDir(),
    DIST_DIR: makeDist({ posthogKey: null }),
    DATABASE_URL: await postgres.createDatabase(),
    REGISTRATION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    REDIS_URL: redis.url,
    STREAM_URL: nats.url,
    ACK: 'replicated',
  };
  await expect
    .poll(async () => (await checkConfig(env)).stdout)
    .toMatch(/^Data in .*\nThe settings are valid\.\n$/);
  expect(readdirSync(env.DATA_DIR)).toEqual([]);

  redis.freeze();
  await Promise.all(nats.nodes.slice(1).map((node) => node.kill()));
  const fault =
    /^The stream \(127\.0\.0\.1:.*\): .*\. Until then no click can be kept, because of ACK=replicated\.\n$/;
  // A node without a quorum notices this after some seconds.
  await expect
    .poll(() => checkConfig(env))
    .toMatchObject({
      status: 1,
      stdout: expect.stringContaining(`Redis (${new URL(redis.url).host}): it does not answer.`),
      stderr: expect.stringMatching(fault),
    });
  redis.thaw();
});
