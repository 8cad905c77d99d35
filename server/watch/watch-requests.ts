/**
 * Counts answers by route and status, and measures the time until each answer begins to be sent. A slow client's reading is not
 * part of it. Call the returned function before every route and every plugin with hooks.
 */
import type { FastifyInstance, onSendHookHandler } from 'fastify';
import type { Metrics } from './metrics.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Monotonic milliseconds. */
    startedMs: number;
  }
}

export const watchRequests =
  ({ answer }: Metrics) =>
  (app: FastifyInstance): void => {
    app.decorateRequest('startedMs', 0);
    app.addHook('onRequest', (request, _reply, done) => {
      request.startedMs = performance.now();
      done();
    });
    // A hook for each route, because Fastify makes a new object whenever a request is asked for its route. Not onResponse, for
    // which Fastify would listen for each answer's end.
    app.addHook('onRoute', (route) => {
      const methods = [route.method].flat().filter((method) => method !== 'HEAD');
      if (methods.length === 0) return;
      const name = `${methods.join(',')} ${route.url}`;
      const count: onSendHookHandler = (request, { statusCode }, _payload, done) => {
        answer(name, statusCode, (performance.now() - request.startedMs) / 1000);
        done();
      };
      // The last one, because another may change the status to 304.
      route.onSend = [...[route.onSend ?? []].flat(), count];
    });
  };
