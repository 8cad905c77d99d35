/** The headers of pages and of redirects to a page: @fastify/helmet with the policy of this build. */
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { usesTls } from './security.ts';

type Directives = Record<string, string[]>;

/** Headers that no page of this site needs, or every answer has, are off. Each byte of them delays the first paint. */
const HELMET: FastifyHelmetOptions = {
  global: false,
  originAgentCluster: true,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xPoweredBy: false,
  xXssProtection: false,
  strictTransportSecurity: false,
  referrerPolicy: { policy: 'same-origin' },
  xFrameOptions: { action: 'deny' },
};

/** `no-transform`, because a proxy that rewrites the page breaks the hashes of its inline scripts. */
const REVALIDATE = 'no-cache, no-transform';

/** Call it in the scope of each route that calls setPageHeaders. */
export async function pageHeaders(app: FastifyInstance, site: BuiltSite): Promise<void> {
  app.decorate('contentPolicy', directivesOf(site));
  await app.register(helmet, HELMET);
}

/**
 * Leaves out the opener policy for a visit that no page has opened. It has no effect there, but makes the browser start a second
 * process: 48 of 764 ms to the first paint (docs/decisions.md#the-first-paint).
 */
export function setPageHeaders(reply: FastifyReply): FastifyReply {
  const { request, server } = reply;
  const isTypedAddress = request.headers['sec-fetch-site'] === 'none';
  const policy = server.getDecorator<Directives>('contentPolicy');
  reply.helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      // It would break a site over plain http.
      directives: usesTls(request) ? { ...policy, 'upgrade-insecure-requests': [] } : policy,
    },
    crossOriginOpenerPolicy: isTypedAddress ? false : { policy: 'same-origin' },
  });
  return reply.headers({
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'cache-control': REVALIDATE,
    vary: 'accept-encoding, sec-fetch-site',
  });
}

function directivesOf({ inlineHashes: { script, style }, ipLookupOrigin }: BuiltSite): Directives {
  const sources = (...more: (string | null)[]) => ["'self'", ...more.filter((one) => one !== null)];
  return {
    'default-src': ["'none'"],
    'script-src': sources(...quoted(script)),
    'script-src-attr': ["'none'"],
    'style-src': sources(...quoted(style)),
    'style-src-attr': ["'none'"],
    'img-src': sources(),
    'font-src': sources(),
    'connect-src': sources(ipLookupOrigin),
    'media-src': sources(),
    'worker-src': ["'none'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': sources(),
    'frame-ancestors': ["'none'"],
  };
}

const quoted = (hashes: string[]) => hashes.map((hash) => `'${hash.replaceAll("'", '')}'`);
