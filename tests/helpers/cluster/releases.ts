/** A machine with releases of the site, as deploy/bin/upgrade keeps them. It replaces only the build and systemd. */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort, startLocalServer } from '../server/local-server.ts';
import { makeDataDir } from '../server/server-app.ts';
import { makeDist } from '../server/server-dist.ts';
import { startServer } from '../server/server-process.ts';
import { startNginx } from './nginx.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

const SERVERS = 3;
/** Replaces the build, which takes a minute. The page's title is the version. */
const BUILD = `ln -s "$CHECKOUT/node_modules" node_modules && cp -r "$BUILT" dist && chmod 755 dist
rm dist/client/index.html.* && echo "<title>$(cat version)</title>" > dist/client/index.html
echo > "dist/client/assets/page.$(cat version).js"; node_modules/.bin/node cli/nginx-headers.ts`;

/** Starts three servers of version "one" behind nginx, with PostgreSQL and Redis. They end with the test. @param onReload called before nginx is reloaded */
export async function startReleases(onReload: () => void) {
  const folder = mkdtempSync(join(tmpdir(), 'releases-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // nginx's user reads the pages.
  chmodSync(folder, 0o755);
  const [origin, releases, link] = ['origin', 'releases', 'site'].map((it) => join(folder, it)) as [
    string,
    string,
    string,
  ];
  const settings = await startDatabases();
  const envFile = join(folder, 'site.env');
  writeFileSync(
    envFile,
    Object.entries(settings)
      .map(([name, value]) => `${name}='${value}'\n`)
      .join(''),
  );
  const made = { CHECKOUT: process.cwd(), BUILT: makeDist() };
  const addVersion = makeOrigin(origin);
  addVersion('one');
  const first = join(releases, '20200101-000000');
  mkdirSync(releases);
  execFileSync('git', ['clone', '--quiet', origin, first]);
  execFileSync('bash', ['-ec', BUILD], { cwd: first, env: { ...process.env, ...made } });
  symlinkSync(first, link);

  const places = await Promise.all(
    Array.from({ length: SERVERS }, async () => ({
      dataDir: makeDataDir(),
      port: await freePort(),
    })),
  );
  const env = { ...settings, DIST_DIR: 'dist' };
  const start = (place: (typeof places)[number]) => startServer({ ...place, env, codeDir: link });
  const servers = new Map(
    await Promise.all(places.map(async (place) => [place.port, await start(place)] as const)),
  );
  const serverPorts = places.map(({ port }) => port);
  const nginx = await startNginx({ distDir: join(link, 'dist'), serverPorts, inPlace: true });
  onTestFinished(() => nginx.remove());

  const restart = async (port: number) => {
    await servers.get(port)?.stop('SIGTERM');
    const place = places.find((it) => it.port === port);
    if (place) servers.set(port, await start(place));
  };
  const reload = async () => {
    onReload();
    nginx.reload();
  };
  // systemd's part: the script asks this process for restarts and reloads.
  const systemd = await startLocalServer((request, answer) => {
    const [, verb, port] = request.url?.split('/') ?? [];
    const done = verb === 'restart' ? restart(Number(port)) : reload();
    done.then(
      () => answer.end(),
      () => answer.writeHead(500).end(),
    );
  });
  onTestFinished(() => systemd.close());
  const ask = `curl -fsS --max-time 100 http://127.0.0.1:${systemd.port}`;
  return {
    nginx,
    addVersion,
    ledgers: [...servers.values()].map(({ ledger }) => ledger),
    /** The folder of the release in use. */
    current: () => realpathSync(link),
    /** @returns the exit code and what the script printed */
    async upgrade(version: string, env: Record<string, string> = {}) {
      const child = spawn('bash', ['deploy/bin/upgrade', version], {
        env: {
          ...process.env,
          ...made,
          ...{ SITE_LINK: link, SITE_RELEASES: releases, SITE_ENV_FILE: envFile },
          SITE_PORTS: serverPorts.join(' '),
          ...{ SITE_BUILD: BUILD, SITE_RESTART: `${ask}/restart/`, SITE_RELOAD: `${ask}/reload` },
          ...env,
        },
      });
      onTestFinished(() => void child.kill('SIGKILL'));
      const said: string[] = [];
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text) => said.push(`${text}`));
      const [code] = await once(child, 'close');
      return { code, said: said.join('') };
    },
  };
}

async function startDatabases(): Promise<Record<string, string>> {
  const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
  onTestFinished(() => Promise.all([postgres.remove(), redis.remove()]).then(() => {}));
  return {
    DATABASE_URL: await postgres.createDatabase(),
    REDIS_URL: redis.url,
    REDIS_TIMEOUT_MS: '30000',
    REGISTRATION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    TRUST_PROXY: 'loopback',
    RATE_LIMIT_CLICKS: '1000000000',
    MIN_FREE_MB: '0',
    STATS_PERIOD_MIN: '0',
  };
}

/** Makes a repository of this checkout's files, also of those that are not committed. @returns a function that tags a version */
function makeOrigin(folder: string): (version: string, edits?: Record<string, string>) => void {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
  mkdirSync(folder);
  execFileSync('bash', [
    '-c',
    `git ls-files -co --exclude-standard server cli contract words dashboards renderer/fonts site package.json site.config.ts | tar c -T - | tar x -C ${folder}`,
  ]);
  git('init', '--quiet', '.');
  return (version, edits = {}) => {
    for (const [file, text] of Object.entries({ version, ...edits }))
      writeFileSync(join(folder, file), text);
    git('add', '.');
    git('commit', '--quiet', '-m', version);
    git('tag', version);
  };
}
