/**
 * Authenticates operators by Basic authentication with ADMIN_PASSWORD and any user name. Put
 * `app.basicAuth` into a route's `preHandler`. Wrong passwords are limited over all routes and
 * methods together.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import basicAuth from '@fastify/basic-auth';
import type { FastifyInstance, FastifyRequest, preHandlerHookHandler } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Settings } from '../settings.ts';
import { type Clock, MINUTE_MS } from '../time.ts';
import { loggedAddress, rateLimitKey } from './address.ts';
import { HttpError } from './http-error.ts';

/** The period in which wrong passwords are counted. Milliseconds. */
const PERIOD_MS = 10 * MINUTE_MS;
/**
 * Upper bound for the wrong passwords of one address in a period. A person who searches for the
 * right password needs fewer.
 */
const MAX_WRONG_PER_ADDRESS = 10;
/**
 * Upper bound for the wrong passwords of all addresses in a period, however many addresses a
 * stranger has: 14,400 a day. Addresses that have already sent the right password are exempt, so
 * that a stranger cannot lock the team out.
 */
const MAX_WRONG_IN_TOTAL = 100;

interface Options {
  config: Pick<Settings, 'ADMIN_PASSWORD'>;
  site: Pick<BuiltSite, 'logIp'>;
  metrics?: { logIn(): void } | null | undefined;
  now?: Clock | undefined;
}

/** Adds `app.basicAuth`. If ADMIN_PASSWORD is not set, it refuses every password. */
export async function operators(app: FastifyInstance, options: Options): Promise<void> {
  const { config, site, metrics, now = Date.now } = options;
  const expectedDigest = config.ADMIN_PASSWORD && digestOf(config.ADMIN_PASSWORD);
  const passwordLimit = createPasswordLimit(now);
  await app.register(basicAuth, {
    authenticate: { realm: 'operators' },
    async validate(_user, password, request) {
      const key = rateLimitKey(request.ip);
      const waitMs = passwordLimit.waitMs(key);
      // Checked before the password. Otherwise the answer would tell a stranger beyond the limit
      // which password is right.
      if (waitMs > 0) {
        app.refusals.note('rate_limit');
        throw makeTooManyError(waitMs);
      }
      const place = {
        remote_ip: loggedAddress(request.ip, site.logIp),
        method: request.method,
        route: request.routeOptions.url,
        req_id: request.id,
      };
      if (!expectedDigest || !timingSafeEqual(digestOf(password), expectedDigest)) {
        passwordLimit.addWrong(key);
        app.refusals.notePassword(place);
        throw new HttpError(401, 'unauthorized', 'The password is not ADMIN_PASSWORD.');
      }
      if (!passwordLimit.addRight(key)) return;
      metrics?.logIn();
      request.log.info(place, 'ADMIN_PASSWORD came from this address for the first time');
    },
  });
}

function makeTooManyError(waitMs: number): HttpError {
  const retryAfterS = Math.ceil(waitMs / 1000);
  const text = `Too many wrong passwords. Try again in ${retryAfterS} s.`;
  return new HttpError(429, 'rate_limited', text, { retryAfterS });
}

/**
 * Counts wrong passwords by address. It needs no bound of its own: in a period it gets to know at
 * most MAX_WRONG_IN_TOTAL unknown addresses.
 */
function createPasswordLimit(now: Clock) {
  /** Addresses that have sent the right password since the server's start. */
  const knownAddresses = new Set<string>();
  let wrongByAddress = new Map<string, number>();
  let wrongFromUnknown = 0;
  let endsAt = 0;
  const startPeriod = () => {
    const at = now();
    // A new period also begins if the clock was ahead and has been set back.
    if (at < endsAt && at >= endsAt - PERIOD_MS) return;
    wrongByAddress = new Map();
    wrongFromUnknown = 0;
    endsAt = at + PERIOD_MS;
  };
  return {
    /**
     * Returns how long the address must wait until its next password is checked, in milliseconds.
     * 0: not at all.
     */
    waitMs(key: string): number {
      startPeriod();
      const isFull = (wrongByAddress.get(key) ?? 0) >= MAX_WRONG_PER_ADDRESS;
      return isFull || (wrongFromUnknown >= MAX_WRONG_IN_TOTAL && !knownAddresses.has(key))
        ? endsAt - now()
        : 0;
    },
    addWrong(key: string): void {
      wrongByAddress.set(key, (wrongByAddress.get(key) ?? 0) + 1);
      if (!knownAddresses.has(key)) wrongFromUnknown += 1;
    },
    /** Notes a right password. @returns whether it is the first one of this address */
    addRight(key: string): boolean {
      if (knownAddresses.has(key)) return false;
      knownAddresses.add(key);
      return true;
    },
  };
}

/** Hashes a text, because `timingSafeEqual` needs inputs of equal length. */
const digestOf = (text: string) => createHash('sha256').update(text).digest();

/**
 * A hook for routes that also strangers may use: refuses a wrong password, and accepts a request
 * without one.
 */
export const checkPassword: preHandlerHookHandler = function checkPassword(request, reply, done) {
  if (isOperator(request)) this.basicAuth(request, reply, done);
  else done();
};

/**
 * Whether an operator sent the request. Use it only behind `checkPassword`, because it only checks
 * that there is a password.
 */
export const isOperator = ({ headers }: FastifyRequest): boolean =>
  headers.authorization !== undefined;
