/**
 * GET /api/stats: how many clicks of people each call to action has, in total and by day, and how
 * many registrations there are.
 */
import type { FastifyInstance } from 'fastify';
import { throwUnavailable } from '../http/http-error.ts';
import { perMinute } from '../http/rate-limit.ts';
import type { RouteOptions } from '../settings.ts';
import type { Stats } from './read-stats.ts';

const RETRY_AFTER_S = 10;

interface Options extends Pick<RouteOptions, 'config'> {
  stats: Stats;
}

export async function stats(app: FastifyInstance, { config, stats }: Options): Promise<void> {
  app.get('/api/stats', { config: { rateLimit: perMinute(config.rateLimit.other) } }, () =>
    stats.read().catch(throwUnavailable('The statistics cannot be read just now.', RETRY_AFTER_S)),
  );
}
