/**
 * Limits connections before their first request.
 *
 * The operating system forgets the address of a connection that its client has reset. The server therefore reads the address
 * when it accepts the connection, and Node keeps it. A request without an address is dropped, because no client waits for its
 * answer, and the rate limit has no key for it.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance, onRequestHookHandler } from 'fastify';
import { rateLimitKey } from './address.ts';
import { createGate } from './gate.ts';
import { HttpError } from './http-error.ts';

/** Upper bound for open connections. They take about 150 MB. */
const MAX_CONNECTIONS = 10_000;
/** Upper bound for those of one address, where visitors connect directly. */
const MAX_PER_ADDRESS = 1000;
/**
 * Upper bound for requests of one connection that wait for their answers. Browsers and proxies send one at a time. Without a
 * bound, a client that sends thousands and reads nothing opens a file for each.
 */
const MAX_UNANSWERED = 10;

interface Options {
  /** Whether all connections come from proxies, so that their addresses are not the visitors'. */
  isBehindProxy: boolean;
}

export function connections(app: FastifyInstance, { isBehindProxy }: Options): void {
  const admit = isBehindProxy ? hasAddress : makeDoor();
  app.server.maxConnections = MAX_CONNECTIONS;
  app.server.on('connection', (socket: Socket) => {
    if (!admit(socket)) socket.destroy();
  });
  // HOST=localhost listens on a second address, whose server Fastify does not hand out.
  app.addHook('onRequest', dropUnknown);
  app.addHook('onRequest', refuseTwoHosts);
  app.addHook('onRequest', boundUnanswered());
}

const hasAddress = (socket: Socket): boolean => socket.remoteAddress !== undefined;

/** @returns a function that counts a connection until it closes, and returns whether its address may have it */
function makeDoor(): (socket: Socket) => boolean {
  const gate = createGate(MAX_PER_ADDRESS);
  return (socket) => {
    if (socket.remoteAddress === undefined) return false;
    const leave = gate.enter(rateLimitKey(socket.remoteAddress));
    if (leave) socket.once('close', leave);
    return leave !== null;
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
      reply.hijack();
      socket.destroy();
      return;
    }
    // An answer that breaks off closes its connection.
    reply.raw.once('finish', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    done();
  };
}

/** A hook that refuses a request with two Host headers (RFC 9112, 3.2), because a proxy in front may have read the other one. */
const refuseTwoHosts: onRequestHookHandler = ({ raw: { rawHeaders } }, _reply, done) => {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.length === 4 && rawHeaders[i]?.toLowerCase() === 'host') hosts += 1;
  done(hosts > 1 ? new HttpError(400, 'bad_request', 'Send one Host header.') : undefined);
};

const dropUnknown: onRequestHookHandler = (request, reply, done) => {
  if (request.raw.socket.remoteAddress !== undefined) return done();
  reply.hijack();
  request.raw.destroy();
};
