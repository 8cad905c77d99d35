/**
 * `npm run dev`: Vite with hot reload at PORT (by default 3000). It proxies the API to the real
 * server at the next port, which `node --watch` restarts after a change of its files. Both listen
 * on the loopback address only.
 *
 * Run: node build/dev.ts [FOLDER], the folder of a build for the server; by default dist
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
// A signal may arrive twice: the terminal sends it to all processes, and npm passes its own on.
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
  // Each click changes a file in the data folder, which must not reload the page.
  const watch = { ignored: [`${data}/**`] };
  await dev({
    startupLog: true,
    viteConfig: { server: { host: 'localhost', port, strictPort: true, proxy, watch } },
  });
}

function end(): void {
  // Vite's watchers would keep this process running, so it exits explicitly.
  server.once('exit', () => process.exit());
  server.kill();
}
