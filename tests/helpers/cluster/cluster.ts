/** Starts Caddy, two servers and PostgreSQL, as deploy/docker does. They end with the test, also if it fails. */
import { onTestFinished } from 'vitest';
import { postgresEnv } from '../server/databases.ts';
import { freePort } from '../server/local-server.ts';
import { makeDataDir } from '../server/server-app.ts';
import { expectKept } from '../server/server-check.ts';
import type { Load } from '../server/server-load.ts';
import { startServer } from '../server/server-process.ts';
import { startCaddy } from './caddy.ts';
import { startPostgres } from './postgres.ts';

const SERVERS = 2;

export async function startCluster() {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const databaseUrl = await postgres.createDatabase();
  const env = {
    ...postgresEnv(databaseUrl),
    TRUST_PROXY: 'loopback',
  };
  const places = await Promise.all(
    Array.from({ length: SERVERS }, async () => ({
      dataDir: makeDataDir(),
      port: await freePort(),
    })),
  );
  const start = (i: number) => startServer({ ...(places[i] ?? {}), env });
  const servers = await Promise.all(places.keys().map(start));
  const caddy = await startCaddy(places.map(({ port }) => port));
  onTestFinished(() => caddy.remove());
  return {
    url: caddy.url,
    postgres,
    servers,
    /** Expects each acknowledged click in the database, counted once, and in the log of a server. */
    async expectKept(load: Load) {
      const dataDirs = places.map(({ dataDir }) => dataDir);
      await expectKept({ dataDir: '', databaseUrl }, load, dataDirs);
    },
    async killServer(i: number) {
      await servers[i]?.stop('SIGKILL');
    },
    async restartServer(i: number) {
      servers[i] = await start(i);
    },
  };
}
