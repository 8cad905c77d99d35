/**
 * Limits the requests per minute of a visitor's address (IPv4 address, IPv6 /56). Each route counts separately. The limits are
 * generous, because a whole hospital may share one address.
 */
import rateLimitPlugin from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';
import { rateLimitKey } from './address.ts';
import { HttpError } from './http-error.ts';

const WINDOW_MS = 60_000;
/** Addresses that each route remembers. Beyond it, the plugin forgets those whose requests are the oldest. */
const REMEMBERED = 100_000;

export async function rateLimit(app: FastifyInstance): Promise<void> {
  await app.register(rateLimitPlugin, {
    global: false,
    enableDraftSpec: true,
    timeWindow: WINDOW_MS,
    // Without it, a proxy that appends the port would give each connection a limit of its own.
    keyGenerator: ({ ip }) => rateLimitKey(ip),
    errorResponseBuilder: (_request, { ttl }) => {
      const retryAfterS = Math.ceil(ttl / 1000);
      const text = `Too many requests from this address. Try again in ${retryAfterS} s.`;
      return new HttpError(429, 'rate_limited', text, { retryAfterS });
    },
  });
}

/** A route's `config.rateLimit`; 0: unlimited. The plugin takes the size of its cache from the route alone. */
export const perMinute = (max: number) => max !== 0 && { max, cache: REMEMBERED };
