/**
 * Security headers of every answer, and hooks against cross-site requests. The hooks use callbacks,
 * because a promise for each click would cost more than their work.
 */
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { HttpError } from './http-error.ts';

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};
/**
 * HSTS for two years. `includeSubDomains` and `preload` are left out, because they would also bind
 * hosts that do not belong to this site.
 */
const HEADERS_TLS = { ...HEADERS, 'strict-transport-security': 'max-age=63072000' };

/**
 * Returns the headers for https or http. Without a trusted proxy, the protocol is the socket's own.
 */
export const headersOf = ({ protocol }: FastifyRequest) =>
  protocol === 'https' ? HEADERS_TLS : HEADERS;

/** A hook for all routes that sets the headers. Files and pages replace some of them. */
export const setHeaders: onRequestHookHandler = (request, reply, done) => {
  reply.headers(headersOf(request));
  done();
};

/**
 * A hook that refuses requests from pages of other sites, by Sec-Fetch-Site. Proxies do not rewrite
 * this header, unlike Host, so no genuine click is lost. Programs do not send it, and are accepted.
 */
export const refuseCrossSite: onRequestHookHandler = ({ headers }, _reply, done) => {
  done(headers['sec-fetch-site'] === 'cross-site' ? makeCrossSiteError() : undefined);
};

/**
 * A hook for forms that refuses requests from pages of other sites. For browsers without
 * Sec-Fetch-Site it compares Origin with Host. A proxy may make that wrong, but a visitor can send
 * a refused form again.
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
 * A valid Host header by RFC 9110: a name, an IPv4 address or an IPv6 address in brackets, with or
 * without a port.
 */
const VALID_HOST = /^(?:\[[\w.:%~-]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/;

/**
 * A hook that refuses a request with several Host headers or an invalid one (RFC 9112, section
 * 3.2), because a proxy may have read another host than this server.
 */
export const checkHost: onRequestHookHandler = ({ raw, headers }, _reply, done) => {
  const { host = '' } = headers;
  done(VALID_HOST.test(host) && countHosts(raw.rawHeaders) < 2 ? undefined : makeWrongHostError());
};

/**
 * Counts the Host headers of a request. Node's `headers` has only the first one.
 *
 * @param rawHeaders names and values in turn
 */
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

/** Methods that change nothing. */
const READING_METHODS = ['GET', 'HEAD', 'OPTIONS'];
const ORIGIN_CHECKS: unknown[] = [refuseCrossSite, refuseForeignOrigin];

/**
 * Makes the server's start fail if a route may change something and has no origin check. Call it
 * before the routes are registered.
 */
export function requireOriginChecks(app: FastifyInstance): void {
  // Each route registers the content types that it accepts. Fastify's default parsers would read
  // JSON and text of up to 1 MB.
  app.removeAllContentTypeParsers();
  app.addHook('onRoute', ({ method, url, onRequest }) => {
    if ([method].flat().every((each) => READING_METHODS.includes(each.toUpperCase()))) return;
    if ([onRequest].flat().some((hook) => ORIGIN_CHECKS.includes(hook))) return;
    throw new Error(
      `${method} ${url} has no origin check. Add \`onRequest: refuseForeignOrigin\`, or refuseCrossSite.`,
    );
  });
}
