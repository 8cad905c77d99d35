/**
 * Limits the requests per minute of a visitor's address (IPv4 address, IPv6 /64), with ten times as many for its network and a
 * hundred times as many for all senders (tiers.ts). Each route counts separately. The limits are generous, because a whole
 * hospital may share one address.
 */
import rateLimitPlugin, { type RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyBaseLogger } from 'fastify';
import fp from 'fastify-plugin';
import { HttpError } from '../http-error.ts';
import { makeRateLimitStore } from './counter-store.ts';
import type { RedisCounter } from './redis-counter.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Does Redis, if the server has one, not answer? */
    isRedisAway(): boolean;
  }
}

const WINDOW_MS = 60_000;

interface Options {
  /** Redis, in which several servers count together; null: this server counts alone. */
  redisUrl: URL | null;
  redisTimeoutMs: number;
  log: FastifyBaseLogger;
}

export const rateLimit = fp<Options>(async (app, { redisUrl, redisTimeoutMs, log }) => {
  const redis = redisUrl && (await openRedis(redisUrl, redisTimeoutMs, log));
  app.decorate('isRedisAway', () => redis?.isAway() ?? false);
  app.addHook('onClose', async () => redis?.close());
  await app.register(rateLimitPlugin, {
    global: false,
    enableDraftSpec: true,
    timeWindow: WINDOW_MS,
    store: makeRateLimitStore(redis),
    keyGenerator: (request) => request.ip,
    errorResponseBuilder: (_request, { ttl }) => {
      const seconds = Math.ceil(ttl / 1000);
      return new HttpError(
        429,
        'rate_limited',
        `Too many requests from this address. Try again in ${seconds} s.`,
        { retryAfterS: seconds },
      );
    },
  });
});

/** Loads the Redis client only if it is needed, so that the start is fast. */
async function openRedis(
  url: URL,
  timeoutMs: number,
  log: FastifyBaseLogger,
): Promise<RedisCounter> {
  const { openRedisCounter } = await import('./redis-counter.ts');
  return openRedisCounter(url, timeoutMs, log);
}

/** A route's `config.rateLimit`; 0: unlimited. */
export function perMinute(max: number): RateLimitOptions | false {
  return max === 0 ? false : { max };
}
