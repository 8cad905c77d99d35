/** Warns operators of a proxy behind which all visitors have one address, and so one rate limit. */
import type { FastifyInstance } from 'fastify';
import { plainAddress } from './address.ts';

const WARNING =
  'TRUST_PROXY is set, but a browser’s request came without a visitor’s address: all visitors share one rate limit. Let the proxy send X-Forwarded-For, or name it in TRUST_PROXY.';

/** Warns once. Probes and the operator's commands send no `Origin`, so they are left out. */
export function warnOfHiddenVisitors(app: FastifyInstance): void {
  let hasWarned = false;
  app.addHook('onRequest', ({ ip, socket, headers, log }, _reply, done) => {
    if (!hasWarned && headers.origin !== undefined) {
      hasWarned = plainAddress(ip) === plainAddress(socket.remoteAddress);
      if (hasWarned) log.warn(WARNING);
    }
    done();
  });
}
