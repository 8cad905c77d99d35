/** GET /api/stats: how often each call to action was used since the beginning; counts only. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { CTA_EVENTS, type CtaEvent } from '#contract/cta.ts';
import { type Stats, statsSchema } from '#contract/stats.schema.ts';
import type { Config } from '../config.ts';
import { perMinute } from '../plugins/rate-limit.ts';
import type { Store } from '../store/store.ts';

interface Options {
  config: Config;
  store: Store;
}

export async function stats(app: FastifyInstance, { config, store }: Options): Promise<void> {
  app.withTypeProvider<ZodTypeProvider>().get(
    '/api/stats',
    {
      config: { rateLimit: perMinute(config.rateLimit.other) },
      schema: { response: { 200: statsSchema } },
    },
    async () => readStats(store.totals()),
  );
}

/** Events that are no longer on the list still count in the total. */
function readStats(totals: ReadonlyMap<string, number>): Stats {
  const byEvent = CTA_EVENTS.map((event) => [event, totals.get(event) ?? 0]);
  return {
    clicks: {
      total: [...totals.values()].reduce((sum, n) => sum + n, 0),
      by_event: Object.fromEntries(byEvent) as Record<CtaEvent, number>,
    },
  };
}
