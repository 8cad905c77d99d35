/** What @fastify/rate-limit counts in: Redis where there is one and it answers, else this process. */
import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import { type Counted, createMemoryCounter } from './memory-counter.ts';
import type { RedisCounter } from './redis-counter.ts';

/** Lines remembered per route: memory stays within a few megabytes. */
const REMEMBERED = 20_000;

/** What the plugin really hands over, which its types do not tell. */
interface RouteRules {
  method?: unknown;
  routeInfo?: { method?: unknown; url?: string };
}

type Done = (error: Error | null, counted?: Counted) => void;

export function makeRateLimitStore(redis: RedisCounter | null): FastifyRateLimitStoreCtor {
  return class RateLimitStore implements FastifyRateLimitStore {
    readonly route: string;
    readonly countHere = createMemoryCounter(REMEMBERED);

    constructor(_options: unknown, route = '') {
      this.route = route;
    }

    incr(key: string, done: Done, windowMs: number): void {
      if (redis === null) {
        done(null, this.countHere(key, windowMs));
        return;
      }
      void redis
        .count(`${this.route}:${key}`, windowMs)
        .then((counted) => done(null, counted ?? this.countHere(key, windowMs)));
    }

    /** Each route counts by itself; what has no route is unknown paths. */
    child(options: RouteRules): FastifyRateLimitStore {
      const { method, url } = options.routeInfo ?? {};
      return new RateLimitStore(options, `${method ?? 'any'} ${url ?? 'unknown'}`);
    }
  };
}
