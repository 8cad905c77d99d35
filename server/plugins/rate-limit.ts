/**
 * So many requests a minute per visitor's line (IPv4 address, IPv6 /64), each route counted by itself. The limits are
 * generous, since a whole hospital may stand behind one address.
 */
import rateLimitPlugin, { type RateLimitOptions } from '@fastify/rate-limit';
import fp from 'fastify-plugin';
import { rateLimitKey } from '../address.ts';
import { HttpError } from '../http-error.ts';

/** Lines remembered per route; the longest unseen are forgotten, so memory stays within a few megabytes. */
const REMEMBERED = 20_000;

export const rateLimit = fp(async (app) => {
  await app.register(rateLimitPlugin, {
    global: false,
    enableDraftSpec: true,
    timeWindow: 60_000,
    cache: REMEMBERED,
    keyGenerator: (request) => rateLimitKey(request.ip),
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
});

/** A route's `config.rateLimit`; 0: unlimited. */
export function perMinute(max: number): RateLimitOptions | false {
  return max === 0 ? false : { max };
}
