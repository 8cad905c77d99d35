/**
 * Counts answers by route and status, and measures the time until each answer begins to be sent. A slow client's reading is not
 * part of it. Register it before every route and every other plugin with hooks. Fastify runs no hooks for an invalid URL, and
 * Node none for a request that is not HTTP: they are not counted.
 */
import type {
  FastifyInstance,
  FastifyPluginAsync,
  onRequestHookHandler,
  onSendHookHandler,
} from 'fastify';
import fp from 'fastify-plugin';
import { secondsSince } from './bucket-tally.ts';
import { addTo, type RouteTally, routeTally, type Tallies, UNKNOWN } from './tallies.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The tally of the request's route; null: no route has this method and path. */
    routeTally: RouteTally | null;
    /** Monotonic milliseconds. */
    startedMs: number;
  }
}

export function watchRequests({ routes }: Tallies): FastifyPluginAsync {
  const tallyOf = (name: string) => {
    const tally = routes.get(name) ?? routeTally();
    routes.set(name, tally);
    return tally;
  };
  return fp(async (app: FastifyInstance) => {
    const unknown = tallyOf(UNKNOWN);
    app.decorateRequest('routeTally', null);
    app.decorateRequest('startedMs', 0);
    app.addHook('onRequest', (request, _reply, done) => {
      request.startedMs = performance.now();
      done();
    });
    // Not onResponse, for which Fastify would listen for each answer's end.
    const countAnswer: onSendHookHandler = (request, reply, _payload, done) => {
      const { seconds, answers } = request.routeTally ?? unknown;
      seconds.observe(secondsSince(request.startedMs));
      addTo(answers, reply.statusCode);
      done();
    };
    // Hooks per route, because Fastify makes a new object whenever a request is asked for its route, and because this one must
    // run after a route's own hook, which may change the status to 304.
    app.addHook('onRoute', (route) => {
      // HEAD counts as GET.
      const methods = [route.method].flat().filter((method) => method !== 'HEAD');
      const tally = tallyOf(`${methods.join(',') || 'GET'} ${route.url}`);
      const noteRoute: onRequestHookHandler = (request, _reply, done) => {
        request.routeTally = tally;
        done();
      };
      route.onRequest = [noteRoute, ...[route.onRequest ?? []].flat()];
      const onSend = [route.onSend ?? []].flat();
      // Fastify makes a HEAD route from each GET route, with its hooks.
      if (!onSend.includes(countAnswer)) route.onSend = [...onSend, countAnswer];
    });
    app.addHook('onSend', (request, reply, payload, done) => {
      if (request.routeTally === null) countAnswer.call(app, request, reply, payload, done);
      else done();
    });
  });
}
