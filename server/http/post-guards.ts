/**
 * Stops the start of a server that has a POST route without one of the guards below. It covers every method that may
 * change something. Register it before the routes.
 */
import type { FastifyInstance, RouteOptions } from 'fastify';
import fp from 'fastify-plugin';
import { ANY_TYPE } from './json-body.ts';
import { refuseCrossSite, refuseForeignOrigin } from './security.ts';

const READING = ['GET', 'HEAD', 'OPTIONS'];
const ORIGIN_CHECKS: unknown[] = [refuseCrossSite, refuseForeignOrigin];

interface Guard {
  isThere(route: RouteOptions, app: FastifyInstance): boolean;
  /** The remedy: an addition to the route. */
  advice: string;
}

const GUARDS: readonly Guard[] = [
  {
    isThere: (_route, app) =>
      app.hasContentTypeParser('application/json') || app.hasContentTypeParser(ANY_TYPE),
    advice:
      'the types of its bodies: call readJsonBodies(app), or app.addContentTypeParser(ANY_TYPE, …)',
  },
  {
    isThere: ({ bodyLimit }) => bodyLimit !== undefined,
    advice: 'the size of its bodies: `bodyLimit`, in bytes',
  },
  {
    isThere: ({ onRequest }) => [onRequest].flat().some((hook) => ORIGIN_CHECKS.includes(hook)),
    advice: 'an origin check: `onRequest: refuseForeignOrigin`, or refuseCrossSite',
  },
  {
    isThere: ({ config }) => config?.rateLimit !== undefined,
    advice: 'a limit: `config: { rateLimit: perMinute(…) }`',
  },
];

export const postGuards = fp(async (app) => {
  // Fastify's own parsers would read JSON and text of up to 1 MB for a route that names no types.
  app.removeAllContentTypeParsers();
  app.addHook('onRoute', function checkGuards(route) {
    if ([route.method].flat().every((method) => READING.includes(method.toUpperCase()))) return;
    const missing = GUARDS.filter(({ isThere }) => !isThere(route, this));
    if (missing.length === 0) return;
    const list = missing.map(({ advice }) => `\n- ${advice}`).join('');
    throw new Error(`${route.method} ${route.url} is not guarded. Add:${list}`);
  });
});
