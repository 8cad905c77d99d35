/**
 * Limits the requests a minute of a visitor's line (IPv4 address, IPv6 /64), ten times as many for its network and a
 * hundred times as many for all together (rate-limit/tiers.ts). Each route is counted by itself. The limits are
 * generous, because a whole hospital may share one address.
 */
import rateLimitPlugin, { type RateLimitOptions } from '@fastify/rate-limit';
import type { FastifyBaseLogger, onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { plainAddress } from '../address.ts';
import { HttpError } from '../http-error.ts';
import { makeRateLimitStore, type RouteRules } from './counter-store.ts';
import type { Counted } from './memory-counter.ts';
import type { RedisCounter } from './redis-counter.ts';
import { createTieredCounter } from './tiers.ts';

/** Names and values, as @fastify/rate-limit sets them. */
export interface LimitHeaders {
  'ratelimit-limit': number;
  'ratelimit-remaining': number;
  'ratelimit-reset': number;
}

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * `perMinute` as hooks, for a route that is asked thousands of times a second: the plugin, whose promises cost more
     * than the counting, is asked only beyond the limit, or where Redis counts.
     *
     * @param name of the route, for what servers count together
     */
    quickLimit(max: number, name: string): onRequestHookHandler[];
  }
  interface FastifyRequest {
    /** What an answer has to say where `quickLimit` did not ask the plugin; null: nothing, or the plugin said it. */
    limit: LimitHeaders | null;
  }
}

const WINDOW_MS = 60_000;

interface Options {
  /** Where several servers count together; null: this one counts by itself. */
  redisUrl: URL | null;
  redisTimeoutMs: number;
  log: FastifyBaseLogger;
}

export const rateLimit = fp<Options>(async (app, { redisUrl, redisTimeoutMs, log }) => {
  const redis = redisUrl && (await openRedis(redisUrl, redisTimeoutMs, log));
  app.addHook('onClose', async () => redis?.close());
  await app.register(rateLimitPlugin, {
    global: false,
    enableDraftSpec: true,
    timeWindow: WINDOW_MS,
    store: makeRateLimitStore(redis),
    keyGenerator: (request) => plainAddress(request.ip),
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
  app.decorateRequest('limit', null);
  app.decorate('quickLimit', (max, name) => {
    if (max === 0) return [];
    const count = createTieredCounter();
    const rules: RouteRules = { name, count };
    const ask = app.rateLimit({ max, ...rules }).bind(app);
    const askPlugin: onRequestHookHandler = (request, reply, done) => {
      ask(request, reply).then(() => done(), done);
    };
    if (redis) return [askPlugin];
    const countFirst: onRequestHookHandler = (request, reply, done) => {
      const counted = count(request.ip, WINDOW_MS, max);
      if (counted.current > max) {
        askPlugin.call(app, request, reply, done);
        return;
      }
      request.limit = limitHeaders(max, counted);
      done();
    };
    return [countFirst];
  });
});

/** The plugin's headers, for what it was not asked about. */
function limitHeaders(max: number, { current, ttl }: Counted): LimitHeaders {
  return {
    'ratelimit-limit': max,
    'ratelimit-remaining': max - current,
    'ratelimit-reset': Math.ceil(ttl / 1000),
  };
}

/** Its library is loaded only where there is one: a server that starts again shall not keep visitors waiting. */
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
