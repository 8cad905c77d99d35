/**
 * Bounds what one address or one connection may have open at the same time. At a bound the oldest
 * idle connection or the slowest request gives way, never the newcomer.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { networkKey, plainAddress, rateLimitKey } from './address.ts';
import type { ConnectionBounds } from './connection-bounds.ts';
import { createQuotas, type Quota, type Quotas } from './quotas.ts';

/**
 * Upper bound for requests of one connection that wait for their answers. Browsers and proxies send
 * one at a time. Without a bound, a client that sends thousands and reads nothing opens a file for
 * each.
 */
const MAX_UNANSWERED = 10;

/** The addresses by which a supervisor on this machine asks. */
const THIS_MACHINE = ['127.0.0.1', '::1'];

/**
 * @param isBehindProxy whether all connections come from proxies, so that their addresses are not
 * the visitors'
 */
export function boundConnections(
  app: FastifyInstance,
  isBehindProxy: boolean,
  bounds: ConnectionBounds,
): void {
  const quotas = createQuotas<Socket>((socket) => {
    app.refusals.note('connection');
    socket.destroy();
  });
  const { all, local } = bounds;
  const quotasOfSocket = (address: string): Quota[] => {
    if (isBehindProxy) return [{ key: 'all', most: all + local }];
    if (THIS_MACHINE.includes(address)) return [{ key: 'local', most: local }];
    return [...quotasOfAddress(address, bounds), { key: 'all', most: all }];
  };
  app.server.on('connection', (socket) => {
    // The operating system forgets the address of a connection that its client has reset. Node
    // keeps what is read now.
    quotas.add(socket, quotasOfSocket(plainAddress(socket.remoteAddress)));
    socket.once('close', () => quotas.remove(socket));
  });
  app.addHook('onRequest', boundUnanswered(quotas, all + local));
}

/**
 * The rooms of an address, and of an IPv6 network: one customer has a /48 with 256 of these
 * addresses. They come before the room of all, so that a flood makes its own connections give way.
 */
function quotasOfAddress(
  address: string,
  { perAddress, perNetwork }: Pick<ConnectionBounds, 'perAddress' | 'perNetwork'>,
): Quota[] {
  const own = { key: rateLimitKey(address), most: perAddress };
  if (!address.includes(':')) return [own];
  return [own, { key: `network ${networkKey(address)}`, most: perNetwork }];
}

/** Requests whose body has not arrived, of a route. */
const OPEN_BODIES = { all: 100, perAddress: 20, perNetwork: 40 };

/**
 * A hook for a route: bounds the requests whose body has not arrived, and with them the memory. At
 * a bound, the connection of the oldest one is closed. Browsers send such a request again.
 */
export function boundOpenBodies(bounds = OPEN_BODIES): onRequestHookHandler {
  const quotas = createQuotas<FastifyRequest>(({ server, raw }) => {
    server.refusals.note('connection');
    raw.socket.destroy();
  });
  return (request, _reply, done) => {
    const own = quotasOfAddress(plainAddress(request.ip), bounds);
    quotas.add(request, [...own, { key: 'all', most: bounds.all }]);
    // The end of the body, or of the connection.
    for (const event of ['end', 'close']) request.raw.once(event, () => quotas.remove(request));
    done();
  };
}

/**
 * A hook that closes a connection on which too many requests wait for their answers, because each
 * may have opened a file. A connection is idle while none waits.
 *
 * @param most requests of all connections, beyond which a connection may have only one
 */
function boundUnanswered(quotas: Quotas<Socket>, most: number): onRequestHookHandler {
  const unanswered = new WeakMap<Socket, number>();
  let ofAll = 0;
  const count = (socket: Socket, more: number): number => {
    const own = (unanswered.get(socket) ?? 0) + more;
    unanswered.set(socket, own);
    ofAll += more;
    return own;
  };
  // An answer that breaks off closes its connection, and those behind it end without an event.
  const forget = (socket: Socket) => {
    ofAll -= unanswered.get(socket) ?? 0;
    unanswered.delete(socket);
  };
  return (request, reply, done) => {
    const { socket } = request.raw;
    if (!unanswered.has(socket)) socket.once('close', () => forget(socket));
    const own = count(socket, 1);
    if (own > MAX_UNANSWERED || (own > 1 && ofAll > most)) {
      request.server.refusals.note('connection');
      reply.hijack();
      socket.destroy();
      return;
    }
    if (own === 1) quotas.markBusy(socket);
    reply.raw.once('finish', () => {
      if (unanswered.has(socket) && count(socket, -1) === 0) quotas.markIdle(socket);
    });
    done();
  };
}
