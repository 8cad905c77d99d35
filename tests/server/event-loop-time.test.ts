/** No request of a stranger may hold the event loop, because all visitors share it. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { testCapture } from '../helpers/fakes/posthog-capture/test-capture.ts';
import { measureHostile, probedServer } from '../helpers/server/measure-requests.ts';
import { startServer } from '../helpers/server/server-process.ts';

/** Upper bound for a request, in milliseconds of the event loop. */
const MAX_MS = 50;
/** Node's own bound for the request line and the headers is 16 KB. */
const HEAD_BYTES = 15_500;

test('no request of the longest path, query, header, body or field takes more than 50 ms of the event loop', async () => {
  const posthog = await testCapture();
  const { probe, env, site } = probedServer();
  const server = await startServer({
    env,
    site: { ...site, posthogHost: posthog.url },
    stdout: 'pipe',
  });
  server.child.stdout?.resume();
  const open = () => connect(server.port, '127.0.0.1');
  const { count, slowest } = await measureHostile(probe, open, HEAD_BYTES);
  expect(count).toBeGreaterThan(4000);
  expect(slowest.filter(({ ms }) => ms > MAX_MS)).toEqual([]);
}, 600_000);
