/** The listener of GET /metrics, on this machine only. Metrics are not for visitors, and a flood of requests must not hide them. */
import { createServer, type Server } from 'node:http';
import type { Registry } from '@prometheus-io/client';
import type { Logger } from 'pino';

const LOOPBACK = '127.0.0.1';
/** A process that is just ending may still hold the port. */
const AGAIN_MS = 30_000;

interface Options {
  port: number;
  /** Makes the registry for the first request. */
  registry(): Promise<Registry>;
  log: Pick<Logger, 'info' | 'warn'>;
  againMs?: number;
}

export interface MetricsListener {
  close(): void;
}

/** Never throws: the site is worth more than its figures. Tries again while another program has the port. */
export function listenForScrapes({
  port,
  registry,
  log,
  againMs = AGAIN_MS,
}: Options): MetricsListener {
  const server = makeServer(registry);
  let isWarned = false;
  let again: NodeJS.Timeout | null = null;
  const listen = () => server.listen(port, LOOPBACK);
  server.on('listening', () => log.info(`Metrics at http://${LOOPBACK}:${port}/metrics`));
  server.on('error', (cause: NodeJS.ErrnoException) => {
    if (!isWarned) log.warn(describe(cause, port));
    isWarned = true;
    again = setTimeout(listen, againMs).unref();
  });
  listen();
  // The process may end while only this listener is open.
  server.unref();
  return {
    close() {
      if (again) clearTimeout(again);
      server.close();
      server.closeAllConnections();
    },
  };
}

function makeServer(registry: Options['registry']): Server {
  return createServer(
    { headersTimeout: 5000, requestTimeout: 5000 },
    async ({ method, url }, answer) => {
      if (method !== 'GET' || url?.split('?')[0] !== '/metrics') {
        answer.writeHead(404, { 'content-type': 'text/plain' }).end('GET /metrics\n');
        return;
      }
      try {
        const metrics = await registry();
        const text = await metrics.metrics();
        answer.writeHead(200, { 'content-type': metrics.contentType }).end(text);
      } catch (cause) {
        answer.writeHead(500, { 'content-type': 'text/plain' }).end(`${cause}\n`);
      }
    },
  );
}

function describe(cause: NodeJS.ErrnoException, port: number): string {
  const remedy = 'The site runs without metrics and tries again. Set METRICS_PORT to a free port';
  return cause.code === 'EADDRINUSE'
    ? `Another program listens on port ${port}. ${remedy}, one for each server, or to off.`
    : `Metrics cannot listen on port ${port} (${cause.code}). ${remedy}, or to off.`;
}
