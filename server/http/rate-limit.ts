/** The limits of requests: of a visitor's address, and of a server that is late. */
import rateLimitPlugin from '@fastify/rate-limit';
import underPressurePlugin from '@fastify/under-pressure';
import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '../time.ts';
import { rateLimitKey } from './address.ts';
import { HttpError, unavailable } from './http-error.ts';

/** Addresses that each route remembers. Beyond it, the plugin forgets those whose requests are the oldest. */
const REMEMBERED = 100_000;

/**
 * Limits the requests per minute of an address (IPv4 address, IPv6 /56). Each route counts separately. The limits are generous,
 * because a whole hospital may share one address.
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

/** A route's `config.rateLimit`; 0: unlimited. The plugin takes the size of its cache from the route alone. */
export const perMinute = (max: number) => max !== 0 && { max, cache: REMEMBERED };

/** Twice the longest delay that clicks alone caused on a tenth of a core. */
const MAX_DELAY_MS = SECOND_MS;
const RETRY_AFTER_S = 5;

/** One error for all refusals, because each new one would collect a stack. */
const OVERLOADED = unavailable('The server is overloaded. Send it again.', RETRY_AFTER_S);

/**
 * Answers each request of its scope with 503 while the event loop is late. It is for clicks and events, which browsers send again.
 *
 * @param maxEventLoopDelay milliseconds; 0: never refuses
 */
export async function underPressure(app: FastifyInstance, maxEventLoopDelay = MAX_DELAY_MS) {
  await app.register(underPressurePlugin, {
    maxEventLoopDelay,
    pressureHandler: async (_request, _reply, _type, delayMs) => {
      // The plugin says Infinity after a second without a sample: one long pause, after which only the waiting requests are left.
      if (delayMs !== Number.POSITIVE_INFINITY) throw OVERLOADED;
    },
  });
}
