/**
 * The headers of HTML pages and of redirects to them: @fastify/helmet with this build's content
 * security policy.
 */
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';

/**
 * Turns off the headers that no page of this site needs, or that every answer has anyway. Each byte
 * of headers delays the first paint.
 */
const HELMET: FastifyHelmetOptions = {
  global: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  strictTransportSecurity: false,
  referrerPolicy: { policy: 'same-origin' },
  xFrameOptions: { action: 'deny' },
};

/** Registers helmet. Call it in each scope whose routes call setPageHeaders. */
export async function pageHeaders(app: FastifyInstance, site: BuiltSite): Promise<void> {
  const contentSecurityPolicy = { useDefaults: false, directives: makeCspDirectives(site) };
  await app.register(helmet, { ...HELMET, contentSecurityPolicy });
}

/**
 * Sets the headers of a page. Cross-Origin-Opener-Policy is left out if no page has opened this
 * one. There it protects nothing, but makes the browser start a second process, which takes 48 of
 * the 764 ms to the first paint (docs/decisions.md#the-first-paint).
 */
export function setPageHeaders(reply: FastifyReply): FastifyReply {
  const isTypedAddress = reply.request.headers['sec-fetch-site'] === 'none';
  reply.helmet({ crossOriginOpenerPolicy: isTypedAddress ? false : { policy: 'same-origin' } });
  return reply.headers({
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    // `no-transform`: a proxy that changes the page would break the hashes of its inline scripts.
    'cache-control': 'no-cache, no-transform',
    vary: 'accept-encoding, sec-fetch-site',
  });
}

/** Sends a page that was made for this request. Nobody may cache it. */
export const sendPage = (reply: FastifyReply, page: string): FastifyReply =>
  setPageHeaders(reply)
    .header('cache-control', 'no-store, no-transform')
    .type('text/html; charset=utf-8')
    .send(page);

function makeCspDirectives({ inlineHashes: { script, style }, ipLookupOrigin }: BuiltSite) {
  const [none, self] = [["'none'"], ["'self'"]];
  return {
    'default-src': none,
    'script-src': [...self, ...script],
    'style-src': [...self, ...style],
    'img-src': self,
    'font-src': self,
    'connect-src': ipLookupOrigin ? [...self, ipLookupOrigin] : self,
    'media-src': self,
    'worker-src': none,
    'base-uri': none,
    'form-action': self,
    'frame-ancestors': none,
  };
}
