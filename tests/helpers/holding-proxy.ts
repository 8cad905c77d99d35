/**
 * A network on which some requests get no answer until the test says so. It stands between the browser and the
 * site: intercepting inside the browser would also hold back what a closing page sends.
 */
import { request as ask } from 'node:http';
import { startLocalServer } from './local-server.ts';

export interface HoldingProxy {
  port: number;
  /** From now on, paths like this wait. */
  hold(paths: RegExp): void;
  /** Answers what was held, and holds nothing any more. */
  release(): void;
  close(): Promise<void>;
}

export async function startHoldingProxy(sitePort: number): Promise<HoldingProxy> {
  let held: RegExp | null = null;
  let waiting: (() => void)[] = [];
  const server = await startLocalServer(async (request, response) => {
    const { method, url = '/', headers } = request;
    if (held?.test(url)) await new Promise<void>((resolve) => waiting.push(resolve));
    const upstream = ask(
      { port: sitePort, host: '127.0.0.1', method, path: url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  });
  return {
    ...server,
    hold(paths) {
      held = paths;
    },
    release() {
      held = null;
      for (const go of waiting) go();
      waiting = [];
    },
  };
}
