/**
 * What @fastify/rate-limit counts in: Redis where there is one and it answers, else this process, which has counted
 * along: a Redis that falls silent gives nobody their minute's allowance anew.
 */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { Counted } from './memory-counter.ts';
import type { RedisCounter } from './redis-counter.ts';
import { type CountTiers, createTieredCounter } from './tiers.ts';

/** What the plugin really hands over, which its types do not tell. */
export interface RouteRules {
  method?: unknown;
  routeInfo?: { method?: unknown; url?: string };
  /** Ours: the route's name, where the plugin does not know it. */
  name?: string;
  /** Ours: a counter that somebody else counts in too. */
  count?: CountTiers;
}

type Done = (error: Error | null, counted?: Counted) => void;

export function makeRateLimitStore(redis: RedisCounter | null): FastifyRateLimitStoreCtor {
  return class RateLimitStore implements FastifyRateLimitStore {
    readonly route: string;
    readonly countHere: CountTiers;

    constructor(_options: unknown, route = '', count = createTieredCounter()) {
      this.route = route;
      this.countHere = count;
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
      const name = options.name ?? `${method ?? 'any'} ${url ?? 'unknown'}`;
      return new RateLimitStore(options, name, options.count);
    }
  };
}
