/** What a visitor's browser has in addition to the page's code: `fetch` to the site, from an address of its own. */
import { Agent, request } from 'node:https';

export const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** The whole range 127.0.0.0/8 is this machine, so each visitor has a network of its own for the rate limits. */
const addressOf = (n: number) => `127.${1 + Math.floor(n / 250)}.${n % 250}.1`;

export interface Browser {
  fetch: typeof globalThis.fetch;
  close(): void;
}

/**
 * @param origin of the site, whose certificate may be anybody's
 * @param n number of the visitor, from 0
 * @param onAnswer called with each status; 0: no answer
 */
export function openBrowser(
  origin: string,
  n: number,
  onAnswer: (status: number) => void,
): Browser {
  const localAddress = addressOf(n);
  const agent = new Agent({ keepAlive: true, localAddress, rejectUnauthorized: false });
  const send = (path: string, init: RequestInit) =>
    new Promise<Response>((resolve, reject) => {
      const sent = request(origin + path, {
        agent,
        method: init.method,
        headers: { ...(init.headers as Record<string, string>), 'user-agent': USER_AGENT },
        ...(init.signal && { signal: init.signal }),
      });
      sent.on('error', reject);
      sent.on('response', async (answer) => {
        const { statusCode: status = 0, headers } = answer;
        try {
          const body = Buffer.concat(await Array.fromAsync(answer as AsyncIterable<Buffer>));
          resolve(new Response(body, { status, headers: headers as Record<string, string> }));
        } catch (cause) {
          reject(cause);
        }
      });
      sent.end(init.body as string);
    });
  return {
    fetch: async (path, init = {}) => {
      try {
        const answer = await send(String(path), init);
        onAnswer(answer.status);
        return answer;
      } catch (cause) {
        onAnswer(0);
        throw cause;
      }
    },
    close: () => agent.destroy(),
  };
}
