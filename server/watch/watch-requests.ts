/**
 * Counts answers by route and status, and measures the time until each answer begins to be sent. A slow client's reading is not
 * part of it. Register it before every route and every other plugin with hooks.
 */
import type { onSendHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { Durations, type RouteTally, type Tallies } from './tallies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Monotonic milliseconds. */
    startedMs: number;
  }
}

export const watchRequests = ({ routes }: Tallies) =>
  fp(async (app) => {
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
      const tally: RouteTally = new Map();
      routes.set(`${methods.join(',')} ${route.url}`, tally);
      // The last one, because another may change the status to 304.
      route.onSend = [...[route.onSend ?? []].flat(), countInto(tally)];
    });
  });

const countInto =
  (tally: RouteTally): onSendHookHandler =>
  (request, { statusCode }, _payload, done) => {
    const digit = Math.trunc(statusCode / 100);
    const durations = tally.get(digit) ?? new Durations();
    tally.set(digit, durations);
    durations.observe((performance.now() - request.startedMs) / 1000);
    done();
  };
