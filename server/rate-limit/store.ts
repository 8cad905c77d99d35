/**
 * What @fastify/rate-limit counts in: Redis where there is one and it answers, else this process, which has counted
 * along: a Redis that falls silent gives nobody their minute's allowance anew.
 */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { type Count, type Counted, createMemoryCounter } from './memory-counter.ts';
import type { RedisCounter } from './redis-counter.ts';

/** What the plugin really hands over, which its types do not tell. */
export interface RouteRules {
  method?: unknown;
  routeInfo?: { method?: unknown; url?: string };
  /** Ours: the route's name, where the plugin does not know it. */
  name?: string;
  /** Ours: a counter that somebody else counts in too. */
  count?: Count;
}

type Done = (error: Error | null, counted?: Counted) => void;

export function makeRateLimitStore(redis: RedisCounter | null): FastifyRateLimitStoreCtor {
  return class RateLimitStore implements FastifyRateLimitStore {
    readonly route: string;
    readonly countHere: Count;

    constructor(_options: unknown, route = '', count = createMemoryCounter()) {
      this.route = route;
      this.countHere = count;
    }

    incr(key: string, done: Done, windowMs: number): void {
      const countedHere = this.countHere(key, windowMs);
      if (redis === null) {
        done(null, countedHere);
        return;
      }
      void redis
        .count(`${this.route}:${key}`, windowMs)
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
