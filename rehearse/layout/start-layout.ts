/** Starts the shipped layout on free ports: nginx, three servers, PostgreSQL, Redis; and PostHog and SMTP as outside services. */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { startNginx } from '../../tests/helpers/cluster/nginx.ts';
import { startPostgres } from '../../tests/helpers/cluster/postgres.ts';
import { startRedis } from '../../tests/helpers/cluster/redis.ts';
import { startPosthogCapture } from '../../tests/helpers/fakes/posthog-capture/start-posthog-capture.ts';
import { freePort } from '../../tests/helpers/server/local-server.ts';
import { startAlerting } from './alerting.ts';
import { makeFolders, writeSiteEnv } from './folders.ts';
import { startMailbox } from './mailbox.ts';
import { makeSiteServer, type SiteServer } from './site-server.ts';

const SERVERS = 3;
/** PostgreSQL then knows when each click was committed, also after it was killed. */
const COMMIT_TIMES = 'track_commit_timestamp=on';
/** Below it the servers refuse clicks. The shipped 100 MB are more than the small disk has. */
export const MIN_FREE_MB = 16;

interface Options {
  /** Folder of a build. */
  dist: string;
  /** Settings that replace those of the layout. */
  settings?: Record<string, string>;
}

export type Layout = Awaited<ReturnType<typeof startLayout>>;

/** Resolves when all parts answer. `stop` ends them and deletes their files. */
export async function startLayout({ dist, settings = {} }: Options) {
  const folders = makeFolders(dist);
  execFileSync(process.execPath, ['cli/nginx-headers.ts'], {
    env: { ...process.env, DIST_DIR: folders.dist },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [postgres, redis, posthog, mailbox] = await Promise.all([
    startPostgres([COMMIT_TIMES]),
    startRedis(),
    startPosthogCapture(),
    startMailbox(),
  ]);
  const databaseUrl = await postgres.createDatabase();
  const siteEnv: Record<string, string> = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    REGISTRATION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    TRUST_PROXY: 'loopback',
    DIST_DIR: folders.dist,
    POSTHOG_HOST: posthog.url,
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'hello@site.example',
    MIN_FREE_MB: String(MIN_FREE_MB),
    ...settings,
  };
  const servers = await makeServers(folders, siteEnv);
  const ledgers = servers.map(({ dataDir }) => dataDir).join(',');
  writeSiteEnv(folders.siteEnv, { ...siteEnv, REPORT_LEDGERS: ledgers });
  await Promise.all(servers.map((server) => server.start()));
  const nginx = await startNginx({
    distDir: folders.dist,
    serverPorts: servers.map(({ port }) => port),
  });
  const alerting = await startAlerting(
    Object.fromEntries(servers.map(({ name, metricsPort }) => [name, metricsPort])),
  );
  return {
    ...{ folders, servers, postgres, redis, posthog, mailbox, databaseUrl, alerting },
    url: nginx.url,
    async stop() {
      await Promise.all(servers.map((server) => server.stop('SIGTERM')));
      await Promise.all([nginx.remove(), postgres.remove(), redis.remove()]);
      await Promise.all([posthog.close(), mailbox.close(), alerting?.remove()]);
      folders.remove();
    },
  };
}

async function makeServers(
  { data, logs }: { data: string; logs: string },
  siteEnv: Record<string, string>,
): Promise<SiteServer[]> {
  const servers: SiteServer[] = [];
  for (let n = 1; n <= SERVERS; n += 1) {
    const [port, metricsPort] = [await freePort(), await freePort()];
    servers.push(makeSiteServer({ name: `server ${n}`, port, metricsPort, data, logs }, siteEnv));
  }
  return servers;
}
