/**
 * `npm run dev`: Vite with hot reload at PORT (3000), and behind it, at the next port, the real
 * server, which Node starts again after a change of its files. Both listen on this machine only.
 * Tests name another folder than dist for the server.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { dev } from 'vike/api';
import { CREATE_ACCOUNT_PATH } from '#contract/limits.ts';

if (existsSync('.env')) process.loadEnvFile('.env');
// The server needs a build to start, although Vite serves newer pages in front of it.
const dist = process.argv[2] ?? 'dist';
if (!existsSync(join(dist, 'site.json'))) spawnSync('npm', ['run', 'build'], { stdio: 'inherit' });
const port = Number(process.env.PORT || 3000);
const server = spawn(
  process.execPath,
  ['--watch', '--watch-preserve-output', 'server/main.js', dist],
  { env: { ...process.env, PORT: String(port + 1), HOST: '127.0.0.1' }, stdio: 'inherit' },
);
// A signal may come twice: npm passes on what the terminal has sent to all of its processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
await startVite().catch((cause: Error) => {
  process.stderr.write(`${cause.message}. PORT=8080 chooses another port.\n`);
  process.exitCode = 1;
  end();
});

async function startVite(): Promise<void> {
  const target = `http://127.0.0.1:${port + 1}`;
  const paths = ['/api', '/k', '/r/', CREATE_ACCOUNT_PATH, '/healthz', '/report'];
  const proxy = Object.fromEntries(paths.map((path) => [path, { target }]));
  const data = resolve(process.env.DATA_DIR || 'data');
  // Each click changes a file there.
  const watch = { ignored: [`${data}/**`] };
  await dev({
    startupLog: true,
    viteConfig: { server: { host: 'localhost', port, strictPort: true, proxy, watch } },
  });
}

function end(): void {
  // Also Vite's watchers end with this process.
  server.once('exit', () => process.exit());
  server.kill();
}
