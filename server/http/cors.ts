/**
 * Pages on another origin, such as a CDN, that may call this server. Without CORS_ORIGINS there is none, and no request
 * is looked at for it.
 */
import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { ERROR_CODE_HEADER } from '#contract/limits.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Is it sent from a page of another origin that may? */
    isFromWelcomeOrigin(request: FastifyRequest): boolean;
  }
}

const CALLS = /^\/(api|k)\//;
const PREFLIGHT_S = 24 * 60 * 60;

interface Options {
  /** Like `https://www.site.example`. */
  origins: readonly string[];
}

export const cors = fp<Options>(async (app, { origins }) => {
  const welcome = new Set(origins);
  app.decorate('isFromWelcomeOrigin', (request) => {
    const origin = originOf(request);
    return origin !== null && welcome.has(origin);
  });
  if (welcome.size === 0) return;

  const allow: onRequestHookHandler = (request, reply, done) => {
    if (CALLS.test(request.url)) {
      reply.header('vary', 'origin');
      const { origin } = request.headers;
      if (origin !== undefined && welcome.has(origin)) {
        reply.headers({
          'access-control-allow-origin': origin,
          'access-control-allow-credentials': 'true',
          'access-control-expose-headers': `retry-after, date, ${ERROR_CODE_HEADER}`,
        });
      }
    }
    done();
  };
  app.addHook('onRequest', allow);
  // A beacon is sent without CORS: the browser would refuse its page the answer, and complain in the console.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.hasHeader('access-control-allow-origin')) {
      reply.header('cross-origin-resource-policy', 'cross-origin');
    }
    done(null, payload);
  });
  for (const path of ['/api/*', '/k/*']) {
    app.options(path, (_request, reply) => {
      reply
        .code(204)
        .headers({
          'access-control-allow-methods': 'GET, POST',
          'access-control-allow-headers': 'content-type',
          'access-control-max-age': PREFLIGHT_S,
        })
        .send();
    });
  }
});

/** A link's ping has no origin of its own when it crosses origins, but names its page. */
function originOf({ headers }: FastifyRequest): string | null {
  const page = headers['ping-from'];
  if (headers['content-type'] === 'text/ping' && typeof page === 'string') {
    return URL.parse(page)?.origin ?? null;
  }
  return headers.origin ?? null;
}
