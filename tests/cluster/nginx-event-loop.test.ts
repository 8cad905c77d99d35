/** The requests of tests/server/event-loop-time.test.ts on their way through the shipped nginx, as far as it lets them pass. */
import { execFileSync } from 'node:child_process';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { startNginx } from '../helpers/cluster/nginx.ts';
import { testCapture } from '../helpers/fakes/posthog-capture/test-capture.ts';
import { measureHostile, probedServer } from '../helpers/server/measure-requests.ts';
import { makeDist } from '../helpers/server/server-dist.ts';
import { startServer } from '../helpers/server/server-process.ts';

/** Upper bound for a request, in milliseconds of the event loop. */
const MAX_MS = 50;
/** nginx's bound for a request line and for each header is 8 KB. */
const HEAD_BYTES = 7_500;

test('no hostile request that passes nginx takes more than 50 ms of the server’s event loop', async () => {
  const posthog = await testCapture();
  const distDir = makeDist();
  const { probe, env } = probedServer();
  const settings = { ...env, DIST_DIR: distDir, POSTHOG_HOST: posthog.url, TRUST_PROXY: '1' };
  execFileSync(process.execPath, ['cli/nginx-headers.ts'], {
    env: { ...process.env, ...settings },
  });
  const server = await startServer({ env: settings, stdout: 'pipe' });
  server.child.stdout?.resume();
  const nginx = await startNginx({ distDir, serverPorts: [server.port] });
  onTestFinished(() => nginx.remove());
  const { hostname, port } = new URL(nginx.url);
  const options = { port: Number(port), host: '127.0.0.1', servername: hostname };
  const open = () => connect({ ...options, rejectUnauthorized: false });
  const { count, slowest } = await measureHostile(probe, open, HEAD_BYTES);
  expect(count).toBeGreaterThan(4000);
  expect(slowest.filter(({ ms }) => ms > MAX_MS)).toEqual([]);
}, 600_000);
