/** The metrics of what a server needs, with a real PostgreSQL and Redis. */
import { expect, onTestFinished, test } from 'vitest';
import { startPostgres } from '../helpers/cluster/postgres.ts';
import { startRedis } from '../helpers/cluster/redis.ts';
import { startMetered } from '../helpers/server/scrape.ts';

test('a server without clicks notices that PostgreSQL and Redis are away, and back', async () => {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  onTestFinished(() => Promise.all([postgres.remove(), redis.remove()]).then(() => {}));
  const { scrape } = await startMetered({
    env: {
      DATABASE_URL: await postgres.createDatabase(),
      REDIS_URL: redis.url,
      REGISTRATION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
    },
  });
  const all = (value: number) => ({
    site_ready: value,
    site_postgres_up: value,
    site_redis_up: value,
  });
  await expect.poll(scrape).toMatchObject(all(1));
  await Promise.all([postgres.kill(), redis.kill()]);
  await expect.poll(scrape).toMatchObject(all(0));
  await Promise.all([postgres.restart(), redis.restart()]);
  await expect.poll(scrape).toMatchObject(all(1));
});
