/** The limits of requests: of a visitor's address, and of a server that is late. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import rateLimitPlugin from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '../time.ts';
import { rateLimitKey } from './address.ts';
import { HttpError, unavailable } from './http-error.ts';

/**
 * Addresses that each route remembers. Beyond it, the plugin forgets those whose requests are the
 * oldest.
 */
const MAX_REMEMBERED_ADDRESSES = 100_000;

/**
 * Limits the requests per minute of an address (IPv4 address, IPv6 /56). Each route counts
 * separately. The limits are generous, because a whole hospital may share one address.
 */
export async function rateLimit(app: FastifyInstance): Promise<void> {
  await app.register(rateLimitPlugin, {
    global: false,
    enableDraftSpec: true,
    timeWindow: '1 minute',
    // Without it, a proxy that appends the port would give each connection a limit of its own.
    keyGenerator: ({ ip }) => rateLimitKey(ip),
    onExceeded: () => app.refusals.note('rate_limit'),
    errorResponseBuilder: (_request, { ttl }) => {
      const retryAfterS = Math.ceil(ttl / 1000);
      const text = `Too many requests from this address. Try again in ${retryAfterS} s.`;
      return new HttpError(429, 'rate_limited', text, { retryAfterS });
    },
  });
}

/**
 * A route's `config.rateLimit`; 0: unlimited. The plugin takes the size of its cache from the route
 * alone.
 */
export const perMinute = (max: number) => max !== 0 && { max, cache: MAX_REMEMBERED_ADDRESSES };

/** Twice the longest delay that clicks alone caused on a tenth of a core. */
const MAX_DELAY_MS = SECOND_MS;
const RETRY_AFTER_S = 5;

/** One error for all refusals, because each new one would collect a stack. */
const OVERLOADED_ERROR = unavailable('The server is overloaded. Send it again.', RETRY_AFTER_S);

/** Of the timer that measures the delay. */
const RESOLUTION_MS = 10;

/**
 * Answers each request of its scope with 503 while the event loop is late. It is for clicks and
 * events, which browsers send again.
 *
 * It is no plugin: @fastify/under-pressure also reads the memory in its timer, which needs a
 * descriptor and ends the process where there is none.
 *
 * @param maxDelayMs of the event loop, on average in the last second; 0: never refuses
 */
export function underPressure(app: FastifyInstance, maxDelayMs = MAX_DELAY_MS): void {
  if (maxDelayMs === 0) return;
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let isLate = false;
  const readDelay = () => {
    // The mean is not a number after a second without a sample: one long pause, after which only
    // the waiting requests are left.
    isLate = histogram.mean / 1e6 - RESOLUTION_MS > maxDelayMs;
    histogram.reset();
  };
  const timer = setInterval(readDelay, SECOND_MS).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    histogram.disable();
  });
  app.addHook('onRequest', (_request, _reply, done) => done(isLate ? OVERLOADED_ERROR : undefined));
}
