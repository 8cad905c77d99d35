/** Starts nginx, three servers, Redis and PostgreSQL, wired as in deploy/. They end with the test, also if it fails. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { freePort } from '../server/local-server.ts';
import { makeDataDir } from '../server/server-app.ts';
import { makeDist } from '../server/server-dist.ts';
import { startServer } from '../server/server-process.ts';
import { startNginx } from './nginx.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

const SERVERS = 3;

export async function startCluster(env: Record<string, string> = {}) {
  const distDir = makeDist();
  execFileSync(process.execPath, ['cli/nginx-headers.ts'], {
    env: { ...process.env, DIST_DIR: distDir },
  });
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  onTestFinished(() => Promise.all([postgres.remove(), redis.remove()]).then(() => {}));
  const shared = {
    DATABASE_URL: await postgres.createDatabase(),
    REDIS_URL: redis.url,
    // A long timeout, because the machine may be busy. Tests of a failing Redis close its connections.
    REDIS_TIMEOUT_MS: '30000',
    REGISTRATION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    TRUST_PROXY: 'loopback',
    DIST_DIR: distDir,
    // The servers count in Redis but never reach the limit.
    RATE_LIMIT_CLICKS: '1000000000',
    ...env,
  };
  const places = await Promise.all(
    Array.from({ length: SERVERS }, async () => ({
      dataDir: makeDataDir(),
      port: await freePort(),
    })),
  );
  const start = (i: number) => startServer({ ...(places[i] ?? {}), env: shared });
  const servers = await Promise.all(places.keys().map(start));
  const nginx = await startNginx({ distDir, serverPorts: places.map(({ port }) => port) });
  onTestFinished(() => nginx.remove());
  return {
    url: nginx.url,
    certificate: nginx.certificate,
    /** The settings of all servers. */
    env: shared,
    databaseUrl: shared.DATABASE_URL,
    postgres,
    redis,
    nginx,
    servers,
    ledgers: servers.map(({ ledger }) => ledger),
    async killServer(i: number) {
      await servers[i]?.stop('SIGKILL');
    },
    async restartServer(i: number) {
      servers[i] = await start(i);
    },
  };
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>;
