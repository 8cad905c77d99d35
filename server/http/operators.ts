/**
 * Recognises an operator: a request with ADMIN_PASSWORD, and any user name. Put `app.basicAuth`
 * into a route's `preHandler`. Wrong passwords have limits over all routes and methods.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import basicAuth from '@fastify/basic-auth';
import type { FastifyInstance, FastifyRequest, preHandlerHookHandler } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Settings } from '../settings.ts';
import { type Clock, MINUTE_MS } from '../time.ts';
import { loggedAddress, rateLimitKey } from './address.ts';
import { HttpError } from './http-error.ts';

/** Wrong passwords are counted for this long. */
const PERIOD_MS = 10 * MINUTE_MS;
/** Wrong passwords of one address in a period: a person who looks for the right one needs fewer. */
const MOST_OF_ADDRESS = 10;
/**
 * Wrong passwords of all addresses together in a period: 14,400 a day, with as many addresses as a
 * stranger may have. Addresses from which the right one has come are not held to it, so that a
 * stranger cannot shut the team out.
 */
const MOST_OF_ALL = 100;

interface Options {
  config: Pick<Settings, 'ADMIN_PASSWORD'>;
  site: Pick<BuiltSite, 'logIp'>;
  metrics?: { logIn(): void } | null | undefined;
  now?: Clock | undefined;
}

/** Without ADMIN_PASSWORD, no password opens anything. */
export async function operators(app: FastifyInstance, options: Options): Promise<void> {
  const { config, site, metrics, now = Date.now } = options;
  const expected = config.ADMIN_PASSWORD && digestOf(config.ADMIN_PASSWORD);
  const tries = countTries(now);
  await app.register(basicAuth, {
    authenticate: { realm: 'operators' },
    async validate(_user, password, request) {
      const key = rateLimitKey(request.ip);
      const waitMs = tries.waitMs(key);
      // Before the comparison: otherwise the answer would tell a stranger over the limit which
      // password is right.
      if (waitMs > 0) {
        app.refusals.note('rate_limit');
        throw tooMany(waitMs);
      }
      const place = {
        remote_ip: loggedAddress(request.ip, site.logIp),
        method: request.method,
        route: request.routeOptions.url,
        req_id: request.id,
      };
      if (!expected || !timingSafeEqual(digestOf(password), expected)) {
        tries.addWrong(key);
        app.refusals.notePassword(place);
        throw new HttpError(401, 'unauthorized', 'The password is not ADMIN_PASSWORD.');
      }
      if (!tries.addRight(key)) return;
      metrics?.logIn();
      request.log.info(place, 'ADMIN_PASSWORD came from this address for the first time');
    },
  });
}

function tooMany(waitMs: number): HttpError {
  const retryAfterS = Math.ceil(waitMs / 1000);
  const text = `Too many wrong passwords. Try again in ${retryAfterS} s.`;
  return new HttpError(429, 'rate_limited', text, { retryAfterS });
}

/**
 * Counts wrong passwords in periods. It knows at most MOST_OF_ALL unknown addresses, so it needs no
 * bound of its own.
 */
function countTries(now: Clock) {
  /** Addresses that have given the right password since the start. */
  const known = new Set<string>();
  let wrong = new Map<string, number>();
  let ofStrangers = 0;
  let endsAt = 0;
  const startPeriod = () => {
    const at = now();
    // Also after a clock that was ahead has been set back.
    if (at < endsAt && at >= endsAt - PERIOD_MS) return;
    wrong = new Map();
    ofStrangers = 0;
    endsAt = at + PERIOD_MS;
  };
  return {
    /** @returns milliseconds until a password of this address is looked at; 0: now */
    waitMs(key: string): number {
      startPeriod();
      const isFull = (wrong.get(key) ?? 0) >= MOST_OF_ADDRESS;
      return isFull || (ofStrangers >= MOST_OF_ALL && !known.has(key)) ? endsAt - now() : 0;
    },
    addWrong(key: string): void {
      wrong.set(key, (wrong.get(key) ?? 0) + 1);
      if (!known.has(key)) ofStrangers += 1;
    },
    /** @returns whether it is the first one of this address */
    addRight(key: string): boolean {
      if (known.has(key)) return false;
      known.add(key);
      return true;
    },
  };
}

/** Digests have one length, which the comparison needs. */
const digestOf = (text: string) => createHash('sha256').update(text).digest();

/** A hook that refuses a wrong password, and lets a request without one through. */
export const checkPassword: preHandlerHookHandler = function checkPassword(request, reply, done) {
  if (isOperator(request)) this.basicAuth(request, reply, done);
  else done();
};

/** Whether the request has a password, which is the right one behind `checkPassword`. */
export const isOperator = ({ headers }: FastifyRequest): boolean =>
  headers.authorization !== undefined;
