/**
 * A proxy between browser and site that holds requests until the test releases them. (Interception
 * by the browser would also hold the requests of a page that closes.)
 */
import { request as ask } from 'node:http';
import { text } from 'node:stream/consumers';
import { startLocalServer } from '../server/local-server.ts';

/** Starts the proxy. @param sitePort port of the site on this machine */
export async function startHoldingProxy(sitePort: number) {
  let held: RegExp | null = null;
  /** The text before which the page is cut. */
  let end: string | null = null;
  let waiting: (() => void)[] = [];
  const released = () => new Promise<void>((resolve) => waiting.push(resolve));
  const server = await startLocalServer(async (request, response) => {
    const { method, url = '/', headers } = request;
    if (held?.test(url)) await released();
    // The browser has given the request up and closed the connection.
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
    /** From now on, holds requests whose path matches. */
    hold(paths: RegExp) {
      held = paths;
    },
    /** From now on, sends the landing page only up to this text, which the page must have. */
    cut(before: string) {
      end = before;
    },
    /** Answers the held requests, and holds none from now on. */
    release() {
      held = null;
      end = null;
      for (const go of waiting) go();
      waiting = [];
    },
  };
}
