/**
 * Detects a proxy that hides the visitors' addresses, so that all visitors share one rate limit.
 */
import type { FastifyInstance } from 'fastify';
import { plainAddress } from './address.ts';

const WARNING =
  'TRUST_PROXY is set, but a browser’s request came without a visitor’s address: all visitors share one rate limit. Let the proxy send X-Forwarded-For, or name it in TRUST_PROXY.';

/**
 * Logs a warning once. Only requests with an `Origin` are checked, because health probes and the
 * operator's commands come without a proxy and send none.
 */
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
