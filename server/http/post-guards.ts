/**
 * Stops the start of a server that has a POST route without an origin check. It covers every method that may change something.
 * Call it before the routes.
 */
import type { FastifyInstance } from 'fastify';
import { refuseCrossSite, refuseForeignOrigin } from './security.ts';

const READING = ['GET', 'HEAD', 'OPTIONS'];
const ORIGIN_CHECKS: unknown[] = [refuseCrossSite, refuseForeignOrigin];

export function postGuards(app: FastifyInstance): void {
  // A route names the types of its bodies. Fastify's own parsers would read JSON and text of up to 1 MB.
  app.removeAllContentTypeParsers();
  app.addHook('onRoute', ({ method, url, onRequest }) => {
    if ([method].flat().every((each) => READING.includes(each.toUpperCase()))) return;
    if ([onRequest].flat().some((hook) => ORIGIN_CHECKS.includes(hook))) return;
    throw new Error(
      `${method} ${url} has no origin check. Add \`onRequest: refuseForeignOrigin\`, or refuseCrossSite.`,
    );
  });
}
