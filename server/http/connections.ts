/**
 * Limits open connections and unanswered requests. At a limit, the connection that is idle longest
 * is closed, or the slowest one, and never the new one.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { networkKey, plainAddress, rateLimitKey } from './address.ts';
import type { ConnectionBounds } from './connection-bounds.ts';
import { createQuotas, type Quota, type Quotas } from './quotas.ts';

/**
 * Upper bound for the unanswered requests of one connection. Browsers and proxies send one at a
 * time. Otherwise a client that sends thousands of requests and reads no answer could make the
 * server open a file for each.
 */
const MAX_UNANSWERED = 10;

/** The addresses from which a supervisor on this machine connects. */
const THIS_MACHINE = ['127.0.0.1', '::1'];

/**
 * Limits the connections of the whole server.
 *
 * @param isBehindProxy whether all connections come from proxies, so that their addresses say
 * nothing about visitors
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
    // Read now, because the operating system forgets the address once the client has reset the
    // connection. Node keeps a value that was read.
    quotas.add(socket, quotasOfSocket(plainAddress(socket.remoteAddress)));
    socket.once('close', () => quotas.remove(socket));
  });
  app.addHook('onRequest', limitUnanswered(quotas, all + local));
}

/**
 * Returns the quotas of an address: one for the address, and for IPv6 also one for its /48, because
 * one customer may have 256 /56 networks. The caller puts the quota of all addresses last, so that
 * a flood first evicts its own connections.
 */
function quotasOfAddress(
  address: string,
  { perAddress, perNetwork }: Pick<ConnectionBounds, 'perAddress' | 'perNetwork'>,
): Quota[] {
  const own = { key: rateLimitKey(address), most: perAddress };
  if (!address.includes(':')) return [own];
  return [own, { key: `network ${networkKey(address)}`, most: perNetwork }];
}

/** Limits for the requests of one route whose body has not arrived. */
const OPEN_BODY_BOUNDS = { all: 100, perAddress: 20, perNetwork: 40 };

/**
 * Creates a hook for a route that limits the requests whose body has not arrived, and so the
 * memory. At a limit, the connection of the oldest request is closed. Browsers retry such a
 * request.
 */
export function boundOpenBodies(bounds = OPEN_BODY_BOUNDS): onRequestHookHandler {
  const quotas = createQuotas<FastifyRequest>(({ server, raw }) => {
    server.refusals.note('connection');
    raw.socket.destroy();
  });
  return (request, _reply, done) => {
    const own = quotasOfAddress(plainAddress(request.ip), bounds);
    quotas.add(request, [...own, { key: 'all', most: bounds.all }]);
    // The body is complete, or the connection has ended.
    for (const event of ['end', 'close']) request.raw.once(event, () => quotas.remove(request));
    done();
  };
}

/**
 * Creates a hook that closes a connection with too many unanswered requests, because each may have
 * opened a file. Also marks connections as busy, and as idle when all of their requests are
 * answered.
 *
 * @param most unanswered requests of all connections. Beyond it, a connection may have only one
 */
function limitUnanswered(quotas: Quotas<Socket>, most: number): onRequestHookHandler {
  const unanswered = new WeakMap<Socket, number>();
  let ofAll = 0;
  const addUnanswered = (socket: Socket, more: number): number => {
    const own = (unanswered.get(socket) ?? 0) + more;
    unanswered.set(socket, own);
    ofAll += more;
    return own;
  };
  // If an answer is interrupted, its connection closes, and the requests queued behind it get no
  // event of their own.
  const forget = (socket: Socket) => {
    ofAll -= unanswered.get(socket) ?? 0;
    unanswered.delete(socket);
  };
  return (request, reply, done) => {
    const { socket } = request.raw;
    if (!unanswered.has(socket)) socket.once('close', () => forget(socket));
    const own = addUnanswered(socket, 1);
    if (own > MAX_UNANSWERED || (own > 1 && ofAll > most)) {
      request.server.refusals.note('connection');
      reply.hijack();
      socket.destroy();
      return;
    }
    if (own === 1) quotas.markBusy(socket);
    reply.raw.once('finish', () => {
      if (unanswered.has(socket) && addUnanswered(socket, -1) === 0) quotas.markIdle(socket);
    });
    done();
  };
}
