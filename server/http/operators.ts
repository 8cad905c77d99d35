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
const MAX_WRONG_PER_ADDRESS = 10;
/**
 * Wrong passwords of all addresses together in a period: 14,400 a day, with as many addresses as a
 * stranger may have. Addresses from which the right one has come are not held to it, so that a
 * stranger cannot shut the team out.
 */
const MAX_WRONG_IN_TOTAL = 100;

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
  const passwordLimit = createPasswordLimit(now);
  await app.register(basicAuth, {
    authenticate: { realm: 'operators' },
    async validate(_user, password, request) {
      const key = rateLimitKey(request.ip);
      const waitMs = passwordLimit.waitMs(key);
      // Before the comparison: otherwise the answer would tell a stranger over the limit which
      // password is right.
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
      if (!expected || !timingSafeEqual(digestOf(password), expected)) {
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
 * Counts wrong passwords in periods. It knows at most MAX_WRONG_IN_TOTAL unknown addresses, so it needs no
 * bound of its own.
 */
function createPasswordLimit(now: Clock) {
  /** Addresses that have given the right password since the start. */
  const knownAddresses = new Set<string>();
  let wrongByAddress = new Map<string, number>();
  let wrongFromUnknown = 0;
  let endsAt = 0;
  const startPeriod = () => {
    const at = now();
    // Also after a clock that was ahead has been set back.
    if (at < endsAt && at >= endsAt - PERIOD_MS) return;
    wrongByAddress = new Map();
    wrongFromUnknown = 0;
    endsAt = at + PERIOD_MS;
  };
  return {
    /** @returns milliseconds until a password of this address is looked at; 0: now */
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
    /** @returns whether it is the first one of this address */
    addRight(key: string): boolean {
      if (knownAddresses.has(key)) return false;
      knownAddresses.add(key);
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
