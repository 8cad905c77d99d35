/** --check-config with the real services: PostgreSQL and Redis. */
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../helpers/cluster/postgres.ts';
import { startRedis } from '../helpers/cluster/redis.ts';
import { checkConfig } from '../helpers/server/check-config.ts';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

test('running services are not mentioned, and nothing is written; a frozen one is named', async () => {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  onTestFinished(() => Promise.all([postgres.remove(), redis.remove()]).then(() => {}));
  const env = {
    DATA_DIR: makeDataDir(),
    DIST_DIR: makeDist({ posthogKey: null }),
    DATABASE_URL: await postgres.createDatabase(),
    REGISTRATION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    REDIS_URL: redis.url,
  };
  await expect
    .poll(async () => (await checkConfig(env)).stdout)
    .toMatch(/^Data in .*\nThe settings are valid\.\n$/);
  expect(readdirSync(env.DATA_DIR)).toEqual([]);

  redis.freeze();
  expect(await checkConfig(env)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining(`Redis (${new URL(redis.url).host}): it does not answer.`),
  });
  redis.thaw();
});
