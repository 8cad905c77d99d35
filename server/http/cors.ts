/**
 * Pages on another origin, such as a CDN, that may call this server. Without CORS_ORIGINS there is none, and no request
 * is looked at for it.
 */
import corsPlugin from '@fastify/cors';
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { ERROR_CODE_HEADER } from '#contract/limits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Read by @fastify/cors; false: its routes say nothing about origins. */
    cors?: false;
  }
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

  // Pages and files are for everyone, and need no answer that differs by origin.
  app.addHook('onRoute', (route) => {
    if (route.method !== 'OPTIONS' && !CALLS.test(route.url)) {
      route.config = { ...route.config, cors: false };
    }
  });
  await app.register(corsPlugin, {
    origin: [...welcome],
    credentials: true,
    methods: ['GET', 'POST'],
    allowedHeaders: ['content-type'],
    exposedHeaders: ['retry-after', 'date', ERROR_CODE_HEADER],
    maxAge: PREFLIGHT_S,
    strictPreflight: false,
  });
  // A beacon is sent without CORS: the browser would refuse its page the answer, and complain in the console.
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (reply.hasHeader('access-control-allow-origin')) {
      reply.header('cross-origin-resource-policy', 'cross-origin');
    }
    done(null, payload);
  });
});

/** A link's ping has no origin of its own when it crosses origins, but names its page. */
function originOf({ headers }: FastifyRequest): string | null {
  const page = headers['ping-from'];
  if (headers['content-type'] === 'text/ping' && typeof page === 'string') {
    return URL.parse(page)?.origin ?? null;
  }
  return headers.origin ?? null;
}
