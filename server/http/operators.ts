/**
 * Recognises an operator: a request with ADMIN_PASSWORD (any user name), or one from this machine. Put `app.basicAuth` into a route's
 * `preHandler`: its rate limit is an `onRequest` hook, and must also count wrong passwords.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import basicAuth from '@fastify/basic-auth';
import type { FastifyInstance, FastifyRequest, preHandlerHookHandler } from 'fastify';
import { HttpError } from './http-error.ts';

/** @param adminPassword undefined: no password opens anything */
export async function operators(app: FastifyInstance, adminPassword?: string): Promise<void> {
  const expected = adminPassword && digestOf(adminPassword);
  await app.register(basicAuth, {
    authenticate: { realm: 'operators' },
    async validate(_user, password) {
      if (!expected || !timingSafeEqual(digestOf(password), expected))
        throw new HttpError(401, 'unauthorized', 'The password is not ADMIN_PASSWORD.');
    },
  });
}

/** Digests have one length, which the comparison needs. */
const digestOf = (text: string) => createHash('sha256').update(text).digest();

/** A hook that refuses a wrong password, and lets a request without one through. */
export const checkPassword: preHandlerHookHandler = function checkPassword(request, reply, done) {
  if (hasPassword(request)) this.basicAuth(request, reply, done);
  else done();
};

/** Whether it has one, right or wrong. */
export const hasPassword = ({ headers }: FastifyRequest): boolean =>
  headers.authorization !== undefined;

/** Behind `checkPassword`. */
export const isOperator = (request: FastifyRequest): boolean =>
  hasPassword(request) || isFromHere(request);

const LOOPBACK = /^(127\.|::1$|::ffff:127\.)/;

/** A proxy on this machine names its visitor in a header, whatever TRUST_PROXY is. */
function isFromHere({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
  return !isForwarded && LOOPBACK.test(socket.remoteAddress ?? '');
}
