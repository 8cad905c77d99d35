/** The id of each request: the proxy's, so that its log and ours name a request alike, or one of our own. */
import type { IncomingMessage } from 'node:http';
import proxyAddr from '@fastify/proxy-addr';
import type { Config } from '../config.ts';

/** Is the proxy at this distance trusted? Hop 0 is the sender of the request itself. */
export type IsTrusted = (address: string, hop: number) => boolean;

/** @returns null: no proxy is trusted */
export function trustedProxies(proxies: Config['trustProxy']): IsTrusted | null {
  if (typeof proxies === 'boolean') return null;
  // A number of proxies, counted from the nearest one.
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return proxyAddr.compile(proxies);
}

/** nginx's `$request_id` and UUIDs have this form. Longer ids would make the ledger longer. */
const GIVEN_ID = /^[\w-]{8,36}$/;

/** @param isTrusted a visitor could send any header, so only a trusted proxy's is used */
export function makeRequestIds(isTrusted: IsTrusted | null): (request: IncomingMessage) => string {
  const nextId = makeOwnIds();
  if (isTrusted === null) return nextId;
  return ({ headers, socket }) => {
    const given = headers['x-request-id'];
    if (typeof given !== 'string' || !GIVEN_ID.test(given)) return nextId();
    return isTrusted(socket.remoteAddress ?? '', 0) ? given : nextId();
  };
}

/**
 * Makes request ids that are unique across restarts, without a random number per request: a block number, which begins with the
 * time of the start, and a count. At most twelve characters, because V8 keeps longer joined strings in pieces, and JSON.stringify
 * then takes four times as long.
 */
function makeOwnIds(): () => string {
  let block = Date.now();
  let prefix = `${block.toString(36)}-`;
  let count = 0;
  return () => {
    if (count === REQUESTS_PER_BLOCK) {
      count = 0;
      block += 1;
      prefix = `${block.toString(36)}-`;
    }
    count += 1;
    return prefix + count.toString(36);
  };
}

/** The largest number with three digits to the base 36. */
const REQUESTS_PER_BLOCK = 36 ** 3 - 1;
