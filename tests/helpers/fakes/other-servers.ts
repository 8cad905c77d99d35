/** Fakes of other organizations' servers that browsers contact. */
import { generate } from 'selfsigned';
import { startLocalServer } from '../server/local-server.ts';

/** The body with which the public-IP service answers at the start of each test. */
export const WORKING_ANSWER = '{"ip":"203.0.113.7"}';

/** Starts a public-IP service. */
export async function startIpLookupServer() {
  const lookup = {
    /** Body of all following answers; null: the service answers 403. */
    answer: WORKING_ANSWER as string | null,
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

export const PORTAL_HOST = 'portal.example';

/** Starts the partner's portal: an HTTPS server with one page. */
export async function startPortal() {
  const { private: key, cert } = await generate([{ name: 'commonName', value: PORTAL_HOST }]);
  const page = '<!doctype html><link rel=icon href=data:,><title>Create your account</title>';
  const answer = { 'content-type': 'text/html' };
  /** Paths and queries of all requests, in their order. */
  const requests: string[] = [];
  const server = await startLocalServer(
    ({ url = '' }, response) => {
      requests.push(url);
      response.writeHead(200, answer).end(page);
    },
    { key, cert },
  );
  return { ...server, requests };
}
