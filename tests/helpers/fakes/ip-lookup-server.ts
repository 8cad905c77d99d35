/** A fake of the third-party public-IP service. */
import { startLocalServer } from '../server/local-server.ts';

/** The answer of a working service, with which every test begins. */
export const WORKING = '{"ip":"203.0.113.7"}';

export async function startIpLookupServer() {
  const lookup = {
    /** The next answers; null: 403. */
    answer: WORKING as string | null,
    /** Headers of every request so far. */
    requests: [] as Record<string, unknown>[],
  };
  const server = await startLocalServer((request, response) => {
    lookup.requests.push(request.headers);
    response.setHeader('access-control-allow-origin', '*');
    response.writeHead(lookup.answer === null ? 403 : 200).end(lookup.answer);
  });
  return Object.assign(lookup, server);
}
