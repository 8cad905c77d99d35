/**
 * The store of @fastify/rate-limit: counts in Redis if there is one and it answers, otherwise in this process. The process always
 * counts too, so that a failure of Redis does not reset the counts of the minute.
 */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { Counted } from './memory-counter.ts';
import type { RedisCounter } from './redis-counter.ts';
import { type CountTiers, createTieredCounter } from './tiers.ts';

/** The plugin's options for each route, which are missing in its types. */
interface RouteRules {
  method?: unknown;
  routeInfo?: { method?: unknown; url?: string };
}

type Done = (error: Error | null, counted?: Counted) => void;

export function makeRateLimitStore(redis: RedisCounter | null): FastifyRateLimitStoreCtor {
  return class RateLimitStore implements FastifyRateLimitStore {
    readonly route: string;
    readonly countHere: CountTiers = createTieredCounter();

    constructor(_options: unknown, route = '') {
      this.route = route;
    }

    incr(address: string, done: Done, windowMs: number, max: number): void {
      const countedHere = this.countHere(address, windowMs, max);
      if (redis === null) {
        done(null, countedHere);
        return;
      }
      void redis
        .count(this.route, address, windowMs, max)
        .then((counted) => done(null, counted ?? countedHere));
    }

    /** Each route counts separately. The store without a route is for unknown paths. */
    child(options: RouteRules): FastifyRateLimitStore {
      const { method, url } = options.routeInfo ?? {};
      return new RateLimitStore(options, `${method ?? 'any'} ${url ?? 'unknown'}`);
    }
  };
}
