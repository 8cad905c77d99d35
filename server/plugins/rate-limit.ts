/**
 * So many requests a minute per visitor's line (IPv4 address, IPv6 /64), each route counted by itself. The limits are
 * generous, since a whole hospital may stand behind one address.
 */
import rateLimitPlugin, { type RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyBaseLogger } from 'fastify';
import fp from 'fastify-plugin';
import { rateLimitKey } from '../address.ts';
import { HttpError } from '../http-error.ts';
import type { RedisCounter } from '../rate-limit/redis-counter.ts';
import { makeRateLimitStore } from '../rate-limit/store.ts';

interface Options {
  /** Where several servers count together; null: this one counts by itself. */
  redisUrl: URL | null;
}

export const rateLimit = fp<Options>(async (app, { redisUrl }) => {
  const redis = redisUrl && (await openRedis(redisUrl, app.log));
  app.addHook('onClose', async () => redis?.close());
  await app.register(rateLimitPlugin, {
    global: false,
    enableDraftSpec: true,
    timeWindow: 60_000,
    store: makeRateLimitStore(redis),
    keyGenerator: (request) => rateLimitKey(request.ip),
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

/** Its library is loaded only where there is one: a server that starts again shall not keep visitors waiting. */
async function openRedis(url: URL, log: FastifyBaseLogger): Promise<RedisCounter> {
  const { openRedisCounter } = await import('../rate-limit/redis-counter.ts');
  return openRedisCounter(url, log);
}

/** A route's `config.rateLimit`; 0: unlimited. */
export function perMinute(max: number): RateLimitOptions | false {
  return max === 0 ? false : { max };
}
