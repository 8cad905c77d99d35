/**
 * A proxy between browser and site that holds some requests until the test releases them.
 * Interception inside the browser would also hold the requests of a closing page.
 */
import { request as ask } from 'node:http';
import { text } from 'node:stream/consumers';
import { startLocalServer } from '../server/local-server.ts';

export async function startHoldingProxy(sitePort: number) {
  let held: RegExp | null = null;
  let end: string | null = null;
  let waiting: (() => void)[] = [];
  const released = () => new Promise<void>((resolve) => waiting.push(resolve));
  const server = await startLocalServer(async (request, response) => {
    const { method, url = '/', headers } = request;
    if (held?.test(url)) await released();
    // A browser that has given the request up closes its connection.
    if (response.destroyed) return;
    const isCut = end !== null && /^\/(\?|$)/.test(url);
    if (isCut) headers['accept-encoding'] = 'identity';
    const upstream = ask(
      { port: sitePort, host: '127.0.0.1', method, path: url, headers },
      async (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        if (!isCut) return answer.pipe(response);
        const page = await text(answer);
        const at = page.indexOf(end ?? '');
        if (at === -1) throw new Error(`The page has no "${end}".`);
        response.write(page.slice(0, at));
        await released();
        response.end(page.slice(at));
      },
    );
    upstream.on('error', () => response.destroy());
    request.pipe(upstream);
  });
  return {
    ...server,
    /** Holds requests for matching paths from now on. */
    hold(paths: RegExp) {
      held = paths;
    },
    /**
     * Sends the page only up to these words from now on. Fails the test if the page does not have
     * them.
     */
    cut(before: string) {
      end = before;
    },
    /** Answers held requests, and holds none from now on. */
    release() {
      held = null;
      end = null;
      for (const go of waiting) go();
      waiting = [];
    },
  };
}
