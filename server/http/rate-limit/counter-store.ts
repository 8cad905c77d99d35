/**
 * What @fastify/rate-limit counts in: Redis where there is one and it answers, else this process, which has counted
 * along: a Redis that falls silent gives nobody their minute's allowance anew.
 */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { Counted } from './memory-counter.ts';
import type { RedisCounter } from './redis-counter.ts';
import { type CountTiers, createTieredCounter } from './tiers.ts';

/** What the plugin hands over for each route; its types do not say so. */
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

    /** Each route counts by itself; what has no route is unknown paths. */
    child(options: RouteRules): FastifyRateLimitStore {
      const { method, url } = options.routeInfo ?? {};
      return new RateLimitStore(options, `${method ?? 'any'} ${url ?? 'unknown'}`);
    }
  };
}
