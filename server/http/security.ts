/** Hooks that set security headers, and that refuse cross-site requests. */
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Hsts } from '../config.ts';
import { HttpError } from './http-error.ts';
import { makeSecurityHeaders, type SecurityHeaders } from './security-headers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The header sets for the protocol of this request. */
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

// The hooks use callbacks, because for every click a promise would cost more than their work.

/** A hook for JSON routes: sets the small set of headers for API answers. */
export const setApiHeaders: onRequestHookHandler = (request, reply, done) => {
  reply.headers(request.server.headersFor(request).api);
  done();
};

/**
 * A hook that refuses requests from other sites' pages, by Sec-Fetch-Site. Unlike Host, proxies do not rewrite this header, so no
 * genuine click is lost. Programs do not send it.
 */
export const refuseCrossSite: onRequestHookHandler = (request, _reply, done) => {
  const isForeignSite = request.headers['sec-fetch-site'] === 'cross-site';
  done(isForeignSite && !request.server.isFromWelcomeOrigin(request) ? crossSite() : undefined);
};

/** The same for forms, with a check of Origin for browsers without Sec-Fetch-Site. A visitor can repeat a refused form. */
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
