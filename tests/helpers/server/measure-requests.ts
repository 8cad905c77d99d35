/** Measures the CPU time that a server's main thread, and so its event loop, needs for hostile requests. */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { onTestFinished } from 'vitest';
import { type HostileRequest, hostileRequests, type Route } from './hostile-requests.ts';
import { startApp } from './server-app.ts';

export interface Measured {
  name: string;
  /** Milliseconds of the main thread's CPU time. */
  ms: number;
}

/** Requests that are sent together. Only those of a slow group are measured one by one. */
const GROUP = 10;
const SLOW_GROUP_MS = 30;
/** The garbage collector may run within any request, so the quickest of these counts. */
const TRIES = 3;

/** Settings of a server whose CPU time `measureHostile` can read. */
export function probedServer() {
  const folder = mkdtempSync(join(tmpdir(), 'probe-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const probe = join(folder, 'cpu');
  const env = {
    NODE_OPTIONS: `--import=${resolve('tests/helpers/server/cpu-probe.mjs')}`,
    CPU_PROBE: probe,
  };
  // With this setting alone the server redacts addresses in rejected bodies.
  return { probe, env, site: { logIp: 'truncated' } as const };
}

/**
 * Sends hostile requests to every route of the real app, so that a new route is tested too.
 *
 * @param probe socket of cpu-probe.mjs in the server
 * @param open opens a connection to the server, or to the proxy in front of it
 * @param headBytes upper bound for a request line and its headers
 * @returns the number of requests, and the slowest ones, the slowest first
 */
export async function measureHostile(
  probe: string,
  open: () => Socket,
  headBytes: number,
): Promise<{ count: number; slowest: Measured[] }> {
  const requests = hostileRequests(await readRoutes(), headBytes);
  const costOf = async (group: readonly HostileRequest[]) => {
    const before = await readProbe(probe);
    await Promise.all(group.map((request) => sendRaw(open(), request)));
    return ((await readProbe(probe)) - before) / 1000;
  };
  const groups = Array.from({ length: Math.ceil(requests.length / GROUP) }, (_, i) =>
    requests.slice(i * GROUP, (i + 1) * GROUP),
  );
  const costs: { group: HostileRequest[]; ms: number }[] = [];
  for (const group of groups) costs.push({ group, ms: await costOf(group) });
  costs.sort((a, b) => b.ms - a.ms);
  const suspects = costs.filter(({ ms }, i) => i === 0 || ms > SLOW_GROUP_MS);
  const slowest: Measured[] = [];
  for (const request of suspects.flatMap(({ group }) => group)) {
    const tries: number[] = [];
    for (let n = 0; n < TRIES; n += 1) tries.push(await costOf([request]));
    slowest.push({ name: request.name, ms: Math.min(...tries) });
  }
  slowest.sort((a, b) => b.ms - a.ms);
  const [worst] = slowest;
  process.stdout.write(
    `${requests.length} hostile requests; the slowest took ${worst?.ms.toFixed(1)} ms: ${worst?.name}\n`,
  );
  return { count: requests.length, slowest };
}

async function readRoutes(): Promise<Route[]> {
  const routes: Route[] = [];
  const watchRequests = (app: FastifyInstance): void => {
    app.addHook('onRoute', ({ method, url, bodyLimit = 0 }) => {
      for (const each of [method].flat()) routes.push({ method: each, url, bodyLimit });
    });
  };
  await startApp({ watchRequests });
  return routes;
}

async function readProbe(probe: string): Promise<number> {
  return Number(await text(connect(probe)));
}

/** Sends a request as raw bytes, because an HTTP client would refuse some of them. Resolves at the connection's end. */
async function sendRaw(
  socket: Socket,
  { method, path, headers, body: make }: HostileRequest,
): Promise<void> {
  const made = make?.() ?? null;
  const body = typeof made === 'string' ? Buffer.from(made) : made;
  socket.on('error', () => {}).resume();
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = body === null ? '' : `content-length: ${body.length}\r\n`;
  const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n`;
  // Headers are Latin-1.
  socket.write(Buffer.from(`${head}${length}${lines.join('')}\r\n`, 'latin1'));
  if (body !== null) socket.write(body);
  if (!socket.closed) await once(socket, 'close');
}
