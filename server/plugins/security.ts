/** Which security headers go on an answer, and who may post. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { HttpError } from '../http-error.ts';
import { makeSecurityHeaders, type SecurityHeaders } from '../security-headers.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** The header sets that fit the way this request came. */
    headersFor(request: FastifyRequest): SecurityHeaders;
  }
}

export const security = fp<{ site: BuiltSite }>(async (app, { site }) => {
  const plain = makeSecurityHeaders(site, false);
  const tls = makeSecurityHeaders(site, true);
  // Without a trusted proxy the protocol is the socket's own: plain http.
  app.decorate('headersFor', (request) => (request.protocol === 'https' ? tls : plain));
});

/** A hook for JSON routes: sets the small header set that belongs on the API's answers. */
export async function setApiHeaders(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(request.server.headersFor(request).api);
}

/**
 * A hook for what another site's page must not send in a visitor's name. The browser's own word decides; it cannot be
 * lost on the way, as a proxy loses the Host header, and so costs no genuine click. Programs do not send it.
 */
export async function refuseCrossSite(request: FastifyRequest): Promise<void> {
  if (request.headers['sec-fetch-site'] === 'cross-site') throw crossSite();
}

/** The same for forms, where a mistake costs nothing lasting: browsers that do not say are asked for their Origin. */
export async function refuseForeignOrigin(request: FastifyRequest): Promise<void> {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (site === 'same-origin' || site === 'none') return;
  if (site !== undefined) throw crossSite();
  if (origin !== undefined && URL.parse(origin)?.host !== request.host) throw crossSite();
}

const crossSite = () =>
  new HttpError(403, 'cross_site', 'This can only be sent from a page of this site.');
