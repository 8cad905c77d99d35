/** GET /metrics, for Prometheus and with ADMIN_PASSWORD alone. */
import type { Registry } from '@prometheus-io/client';
import type { FastifyInstance } from 'fastify';
import type { MetricParts } from './make-registry.ts';

export async function metrics(
  app: FastifyInstance,
  { limit, ...parts }: MetricParts & { limit: number },
): Promise<void> {
  let registry: Promise<Registry> | null = null;
  // With the first request, because the library would delay the start.
  const load = async () => (await import('./make-registry.ts')).makeRegistry(parts);
  app.get(
    '/metrics',
    { config: { rateLimit: { max: limit } }, preHandler: app.basicAuth },
    async (_request, reply) => {
      registry ??= load();
      const loaded = await registry;
      return reply.type(loaded.contentType).send(await loaded.metrics());
    },
  );
}
