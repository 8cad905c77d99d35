/**
 * Two limits for requests: the rate limit of each address, and refusal of requests while the event
 * loop is late.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import rateLimitPlugin from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '../time.ts';
import { rateLimitKey } from './address.ts';
import { HttpError, unavailable } from './http-error.ts';

/**
 * Upper bound for the addresses whose counts a route remembers. Beyond it, the plugin forgets the
 * least recently used ones.
 */
const MAX_REMEMBERED_ADDRESSES = 100_000;

/**
 * Registers the rate limit: requests per minute of an IPv4 address or IPv6 /56. Each route counts
 * separately. The limits are generous, because a whole hospital may share one address.
 */
export async function rateLimit(app: FastifyInstance): Promise<void> {
  await app.register(rateLimitPlugin, {
    global: false,
    enableDraftSpec: true,
    timeWindow: '1 minute',
    // A key without the port. Otherwise each connection through a proxy that appends the port would
    // have a limit of its own.
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
 * Makes the `config.rateLimit` of a route. The plugin takes the size of its cache only from the
 * route.
 *
 * @param max requests per minute and address; 0: unlimited
 */
export const perMinute = (max: number) => max !== 0 && { max, cache: MAX_REMEMBERED_ADDRESSES };

/**
 * Upper bound for the event loop's delay in milliseconds. It is twice the longest delay that was
 * measured while a tenth of a CPU core served only clicks.
 */
const MAX_DELAY_MS = SECOND_MS;
const RETRY_AFTER_S = 5;

/** One shared error, because each new Error would collect a stack trace. */
const OVERLOADED_ERROR = unavailable('The server is overloaded. Send it again.', RETRY_AFTER_S);

/** Interval of the timer that measures the delay. Milliseconds. */
const RESOLUTION_MS = 10;

/**
 * Answers the requests of its scope with 503 while the event loop is late. Use it for clicks and
 * events, which browsers retry.
 *
 * It does not use @fastify/under-pressure, whose timer also reads the memory. That needs a file
 * descriptor, and ends the process if there is none left.
 *
 * @param maxDelayMs upper bound for the mean delay of the last second, in milliseconds; 0: no
 * request is refused
 */
export function underPressure(app: FastifyInstance, maxDelayMs = MAX_DELAY_MS): void {
  if (maxDelayMs === 0) return;
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let isLate = false;
  const readDelay = () => {
    // The mean is NaN after a second without a sample, and NaN counts as not late. That happens
    // after one long pause, when only the waiting requests are left.
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
