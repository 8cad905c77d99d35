/**
 * ACCESS_LOG=on: one line per answered request. It has no address, path, query or browser. Fastify runs no hooks for an invalid URL,
 * and Node none for a request that is not HTTP: they have no line.
 */
import type { FastifyBaseLogger, FastifyPluginAsync } from 'fastify';
import fp from 'fastify-plugin';

/** Register it before every other plugin. */
export function accessLog(log: Pick<FastifyBaseLogger, 'info'>): FastifyPluginAsync {
  return fp(async (app) => {
    app.addHook('onResponse', async (request, reply) => {
      log.info(
        {
          method: request.method,
          // The pattern, because a path may have a code or a name. Null: there is no such route.
          route: request.routeOptions.url ?? 'unknown',
          status: reply.statusCode,
          duration_ms: Math.round(reply.elapsedTime * 10) / 10,
          req_id: request.id,
        },
        'Answered',
      );
    });
  });
}
