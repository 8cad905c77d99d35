/** Bounds what one address or one connection may have open at the same time. */
import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { rateLimitKey } from './address.ts';
import { unavailable } from './http-error.ts';

/** Upper bound for open connections. They take about 150 MB. */
const MAX_CONNECTIONS = 10_000;
/** Upper bound for those of one address, where visitors connect directly. */
const MAX_PER_ADDRESS = 1000;
/**
 * Upper bound for requests of one connection that wait for their answers. Browsers and proxies send one at a time. Without a
 * bound, a client that sends thousands and reads nothing opens a file for each.
 */
const MAX_UNANSWERED = 10;
const RETRY_AFTER_S = 10;

/** @param isBehindProxy whether all connections come from proxies, so that their addresses are not the visitors' */
export function connections(app: FastifyInstance, isBehindProxy: boolean): void {
  app.server.maxConnections = MAX_CONNECTIONS;
  app.server.on('drop', () => app.refusals.note('connection'));
  const enter = createGate(MAX_PER_ADDRESS);
  app.addHook('onRequest', boundUnanswered());
  if (isBehindProxy) return;
  app.server.on('connection', (socket) => {
    // The operating system forgets the address of a connection that its client has reset. Node keeps what is read now.
    if (enter(rateLimitKey(socket.remoteAddress ?? ''), socket)) return;
    app.refusals.note('connection');
    socket.destroy();
  });
}

/** @returns a function that lets a holder in until it closes, if fewer than `room` others of its key are inside */
function createGate(room: number) {
  const inside = new Map<string, number>();
  return (key: string, holder: EventEmitter): boolean => {
    const others = inside.get(key) ?? 0;
    if (others >= room) return false;
    inside.set(key, others + 1);
    holder.once('close', () => {
      const left = (inside.get(key) ?? 1) - 1;
      // Keys without anything inside take no memory.
      if (left === 0) inside.delete(key);
      else inside.set(key, left);
    });
    return true;
  };
}

/**
 * A hook for a route: bounds its requests that have no answer yet, and with them the memory of slow bodies. The bound per address
 * leaves room for others.
 */
export function boundOpenRequests(all: number, perAddress: number): onRequestHookHandler {
  const [enter, enterOfAddress] = [createGate(all), createGate(perAddress)];
  return ({ ip }, { raw }, done) => {
    const isIn = enterOfAddress(rateLimitKey(ip), raw) && enter('all', raw);
    done(isIn ? undefined : unavailable('Too many requests at the same time.', RETRY_AFTER_S));
  };
}

/** A hook that closes a connection on which too many requests wait for their answers. */
function boundUnanswered(): onRequestHookHandler {
  const unanswered = new WeakMap<Socket, number>();
  return (request, reply, done) => {
    const { socket } = request.raw;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > MAX_UNANSWERED) {
      request.server.refusals.note('connection');
      reply.hijack();
      socket.destroy();
      return;
    }
    // An answer that breaks off closes its connection.
    reply.raw.once('finish', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    done();
  };
}
