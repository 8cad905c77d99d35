/** The parts that `bench:scale` measures, on free ports of this machine: servers, nginx, PostgreSQL, Redis and three NATS nodes. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSiteServer, type SiteServer } from '../rehearse/layout/site-server.ts';
import { startNats } from '../tests/helpers/cluster/nats.ts';
import { startNginx } from '../tests/helpers/cluster/nginx.ts';
import { startPostgres } from '../tests/helpers/cluster/postgres.ts';
import { startRedis } from '../tests/helpers/cluster/redis.ts';
import { freePort } from '../tests/helpers/server/local-server.ts';
import { openCounter } from './scale-stream.ts';

export interface StageOptions {
  servers: number;
  /** null: no stream. */
  ack: 'disk' | 'replicated' | null;
  /** False: SQLite, without PostgreSQL and Redis. */
  isShared?: boolean;
  /** False: the load goes to the first server directly. */
  hasNginx?: boolean;
  /** Whether the servers' clocks can be moved. */
  hasOwnClocks?: boolean;
  /** Called before the servers start, for example to fill their data folders. */
  prepare?: (servers: readonly SiteServer[]) => void;
  /** Settings that replace those of the stage. */
  settings?: Record<string, string>;
}

export type Stage = Awaited<ReturnType<typeof startStage>>;

/** Resolves when all parts answer. `stop` ends them and deletes their files. */
export async function startStage(options: StageOptions) {
  const { isShared = true, hasNginx = true, ack } = options;
  if (!existsSync('dist/site.json')) throw new Error('Run `npm run build` first.');
  const folder = mkdtempSync(join(tmpdir(), 'scale-'));
  const dist = makeDist(folder);
  const [postgres, redis, nats] = await Promise.all([
    isShared ? startPostgres() : null,
    isShared ? startRedis() : null,
    ack ? startNats() : null,
  ]);
  const databaseUrl = (await postgres?.createDatabase()) ?? null;
  const settings: Record<string, string> = {
    ...{ DIST_DIR: dist, TRUST_PROXY: 'loopback', RATE_LIMIT_CLICKS: '1000000000' },
    ...(databaseUrl && { DATABASE_URL: databaseUrl, REGISTRATION_KEYS: makeKeys() }),
    ...(redis && { REDIS_URL: redis.url }),
    ...(nats && ack && { STREAM_URL: nats.url, ACK: ack }),
    ...options.settings,
  };
  const servers = await makeServers(folder, settings, options);
  const ports = servers.map(({ port }) => port);
  options.prepare?.(servers);
  await Promise.all(servers.map((server) => server.start()));
  const nginx = hasNginx
    ? await startNginx({ distDir: dist, serverPorts: ports, isBehindBalancer: true })
    : null;
  const stream = nats && (await openCounter(nats));
  return {
    ...{ folder, servers, ports, nats, stream, databaseUrl, settings },
    url: nginx?.url ?? `http://127.0.0.1:${ports[0]}`,
    ledgers: servers.map(({ ledger }) => ledger),
    /** Makes another database in PostgreSQL. @returns its URL */
    async createDatabase(): Promise<string> {
      if (!postgres) throw new Error('This stage has no PostgreSQL');
      return postgres.createDatabase();
    },
    async stop() {
      await stream?.close();
      await Promise.all(servers.map((server) => server.stop('SIGTERM')));
      await Promise.all([nginx, postgres, redis, nats].map((part) => part?.remove()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const makeKeys = () => `k1:${randomBytes(32).toString('base64')}`;

/** A copy of the build, with the files that nginx includes. */
function makeDist(folder: string): string {
  const dist = join(folder, 'dist');
  cpSync('dist', dist, { recursive: true });
  const env = { ...process.env, DIST_DIR: dist };
  execFileSync(process.execPath, ['cli/nginx-headers.ts'], { env, stdio: 'ignore' });
  return dist;
}

async function makeServers(
  folder: string,
  settings: Record<string, string>,
  { servers: count, hasOwnClocks = false }: StageOptions,
): Promise<SiteServer[]> {
  const [data, logs] = [join(folder, 'data'), join(folder, 'logs')];
  for (const path of [data, logs]) mkdirSync(path);
  const servers: SiteServer[] = [];
  for (let n = 1; n <= count; n += 1) {
    const [port, metricsPort] = [await freePort(), await freePort()];
    const place = { name: `server ${n}`, port, metricsPort, data, logs };
    servers.push(makeSiteServer({ ...place, hasOwnClock: hasOwnClocks }, settings));
  }
  return servers;
}
