/** Which security headers go on an answer, and who may post. */
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Hsts } from '../config.ts';
import { HttpError } from './http-error.ts';
import { makeSecurityHeaders, type SecurityHeaders } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The header sets that fit the way this request came. */
    headersFor(request: FastifyRequest): SecurityHeaders;
  }
}

interface Options {
  site: BuiltSite;
  hsts: Hsts;
}

export const security = fp<Options>(async (app, { site, hsts }) => {
  const plain = makeSecurityHeaders(site, false, hsts);
  const tls = makeSecurityHeaders(site, true, hsts);
  // Without a trusted proxy the protocol is the socket's own: plain http.
  app.decorate('headersFor', (request) => (request.protocol === 'https' ? tls : plain));
});

// The hooks are plain callbacks: on the way of every click, a promise each would cost more than what they do.

/** A hook for JSON routes: sets the small header set that belongs on the API's answers. */
export const setApiHeaders: onRequestHookHandler = (request, reply, done) => {
  reply.headers(request.server.headersFor(request).api);
  done();
};

/**
 * A hook for what another site's page must not send in a visitor's name. The browser's own word decides; it cannot be
 * lost on the way, as a proxy loses the Host header, and so costs no genuine click. Programs do not send it.
 */
export const refuseCrossSite: onRequestHookHandler = (request, _reply, done) => {
  const isForeignSite = request.headers['sec-fetch-site'] === 'cross-site';
  done(isForeignSite && !request.server.isFromWelcomeOrigin(request) ? crossSite() : undefined);
};

/** The same for forms, where a mistake costs nothing lasting: browsers that do not say are asked for their Origin. */
export const refuseForeignOrigin: onRequestHookHandler = (request, _reply, done) => {
  const mayNot = isForeign(request) && !request.server.isFromWelcomeOrigin(request);
  done(mayNot ? crossSite() : undefined);
};

function isForeign(request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && URL.parse(origin)?.host !== request.host;
}

const crossSite = () =>
  new HttpError(403, 'cross_site', 'This can only be sent from a page of this site.');
