/**
 * `npm run dev`: Vite with hot reload at PORT (3000), and behind it the real server on a free port. Both listen on this machine
 * only. Everything ends with npm, and with this process. Tests name another folder than dist for the server.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { dev } from 'vike/api';
import type { ViteDevServer } from 'vite';
import { CREATE_ACCOUNT_PATH } from '#contract/limits.ts';
import { type DevServer, startDevServer } from './dev-server.ts';

const LOOK_MS = 500;

if (existsSync('.env')) process.loadEnvFile('.env');
// The server needs a build to start, although Vite serves newer pages in front of it.
const dist = process.argv[2] ?? 'dist';
if (!existsSync(join(dist, 'site.json'))) spawnSync('npm', ['run', 'build'], { stdio: 'inherit' });
const port = Number(process.env.PORT || 3000);
const apiPort = await freePort();
try {
  const vite = await startVite();
  const server = startDevServer(vite, { port: apiPort, dist });
  endTogether(vite, server);
} catch (cause) {
  const { message } = cause as Error;
  const advice = message.includes('already in use') ? ' Choose another one: PORT=8080.' : '';
  process.stderr.write(`${message}.${advice}\n`);
  process.exit(1);
}

async function startVite(): Promise<ViteDevServer> {
  const target = `http://127.0.0.1:${apiPort}`;
  const proxy = Object.fromEntries(
    ['/api', '/k', '/r/', CREATE_ACCOUNT_PATH, '/healthz'].map((path) => [path, { target }]),
  );
  const data = resolve(process.env.DATA_DIR || 'data');
  const { viteServer } = await dev({
    startupLog: true,
    viteConfig: {
      server: {
        host: 'localhost',
        port,
        strictPort: true,
        proxy,
        // Each click changes a file there.
        watch: { ignored: [`${data}/**`] },
      },
    },
  });
  return viteServer;
}

/**
 * A killed npm says nothing: then the system gives this process another parent. The script begins with `exec`, so that npm is
 * the parent, and not its shell.
 */
function endTogether(vite: ViteDevServer, server: DevServer): void {
  const parent = process.ppid;
  let isEnding = false;
  const end = async () => {
    if (isEnding) return;
    isEnding = true;
    await Promise.all([server.stop(), vite.close()]);
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  setInterval(() => {
    if (process.ppid !== parent) void end();
  }, LOOK_MS);
}

function freePort(): Promise<number> {
  const { promise, resolve: done, reject } = Promise.withResolvers<number>();
  const probe = createServer().once('error', reject);
  probe.listen(0, '127.0.0.1', () => {
    const address = probe.address();
    probe.close(() => done(typeof address === 'object' ? (address?.port ?? 0) : 0));
  });
  return promise;
}
