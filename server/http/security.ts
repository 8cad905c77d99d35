/**
 * The headers of every answer, and hooks that refuse cross-site requests. The hooks use callbacks,
 * because for every click a promise would cost more than their work.
 */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { HttpError } from './http-error.ts';

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
/** Two years. `includeSubDomains` and `preload` would bind names that are not this site's. */
const HEADERS_TLS = { ...HEADERS, 'strict-transport-security': 'max-age=63072000' };

/** Without a trusted proxy the protocol is the socket's own: plain http. */
export const headersOf = ({ protocol }: FastifyRequest) =>
  protocol === 'https' ? HEADERS_TLS : HEADERS;

/** A hook for all routes. Files and pages replace some of the headers. */
export const setHeaders: onRequestHookHandler = (request, reply, done) => {
  reply.headers(headersOf(request));
  done();
};

/**
 * A hook that refuses requests from other sites' pages, by Sec-Fetch-Site. Unlike Host, proxies do
 * not rewrite this header, so no genuine click is lost. Programs do not send it.
 */
export const refuseCrossSite: onRequestHookHandler = ({ headers }, _reply, done) => {
  done(headers['sec-fetch-site'] === 'cross-site' ? makeCrossSiteError() : undefined);
};

/**
 * The same for forms, with a check of Origin for browsers without Sec-Fetch-Site. A visitor can
 * repeat a refused form.
 */
export const refuseForeignOrigin: onRequestHookHandler = (request, _reply, done) => {
  done(isForeignOrigin(request) ? makeCrossSiteError() : undefined);
};

function isForeignOrigin({ host, headers }: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && URL.parse(origin)?.host !== host;
}

const makeCrossSiteError = () =>
  new HttpError(403, 'cross_site', 'This can only be sent from a page of this site, by https.');

/**
 * What RFC 9110 allows as a host with a port: a name, an IPv4 address, or an IPv6 address in
 * brackets.
 */
const VALID_HOST = /^(?:\[[\w.:%~-]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/;

/**
 * A hook that refuses a second Host header or an invalid one, as RFC 9112, 3.2 says: a proxy may
 * have read another host.
 */
export const checkHost: onRequestHookHandler = ({ raw, headers }, _reply, done) => {
  const { host = '' } = headers;
  done(VALID_HOST.test(host) && countHosts(raw.rawHeaders) < 2 ? undefined : makeWrongHostError());
};

/** @param rawHeaders names and values in turn. Node's `headers` have the first Host only */
function countHosts(rawHeaders: string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}

const makeWrongHostError = () =>
  new HttpError(400, 'bad_request', 'The request must have one valid Host header.');

const READING_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const ORIGIN_CHECKS: unknown[] = [refuseCrossSite, refuseForeignOrigin];

/**
 * Stops the start of a server with a route that may change something and has no origin check. Call
 * it before the routes.
 */
export function requireOriginChecks(app: FastifyInstance): void {
  // A route names the types of its bodies. Fastify's own parsers would read JSON and text of up to
  // 1 MB.
  app.removeAllContentTypeParsers();
  app.addHook('onRoute', ({ method, url, onRequest }) => {
    if ([method].flat().every((each) => READING_METHODS.includes(each.toUpperCase()))) return;
    if ([onRequest].flat().some((hook) => ORIGIN_CHECKS.includes(hook))) return;
    throw new Error(
      `${method} ${url} has no origin check. Add \`onRequest: refuseForeignOrigin\`, or refuseCrossSite.`,
    );
  });
}
