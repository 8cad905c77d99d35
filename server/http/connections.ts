/**
 * Limits connections before their first request.
 *
 * The operating system forgets the address of a connection that its client has reset. The server therefore reads the address
 * when it accepts the connection, and Node keeps it. A request without an address is dropped, because no client waits for its
 * answer, and the rate limit has no key for it.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { networkKey, rateLimitKey } from './address.ts';
import { createKeyedGate } from './gate.ts';
import { HttpError } from './http-error.ts';

/**
 * Shares of all connections, where visitors connect directly. A sender with an IPv6 /48 has 65,536 addresses, so the network
 * has a share, too.
 */
const SHARES = [
  { keyOf: rateLimitKey, share: 1 / 5 },
  { keyOf: networkKey, share: 2 / 5 },
];
/**
 * Upper bound for requests of one connection that wait for their answers. Browsers and proxies send one at a time. Without a
 * bound, a client that sends thousands and reads nothing opens a file for each.
 */
const MAX_UNANSWERED = 10;
/** Interval between two searches for idle connections, because a search looks at all of them. */
const CLEARING_MS = 1000;

interface Options {
  /** Upper bound for open connections. */
  max: number;
  /** Whether all connections come from proxies, so that their addresses are not the visitors'. */
  isBehindProxy: boolean;
}

export const connections = fp<Options>(async (app, { max, isBehindProxy }) => {
  const { server } = app;
  const admit = isBehindProxy ? hasAddress : makeDoor(max);
  server.maxConnections = max;
  server.on('connection', (socket: Socket) => {
    if (!admit(socket)) socket.destroy();
  });
  server.on('drop', makeRoomFor(server));
  // HOST=localhost listens on a second address, whose server Fastify does not hand out.
  app.addHook('onRequest', dropUnknown);
  app.addHook('onRequest', refuseTwoHosts);
  app.addHook('onRequest', boundUnanswered());
});

/**
 * Closes idle connections when there are too many, because browsers open them again.
 *
 * @returns a function to call for each refused connection
 */
function makeRoomFor(server: Pick<Server, 'closeIdleConnections'>): () => void {
  let isResting = false;
  return () => {
    if (isResting) return;
    isResting = true;
    server.closeIdleConnections();
    setTimeout(() => {
      isResting = false;
    }, CLEARING_MS).unref();
  };
}

const hasAddress = (socket: Socket): boolean => socket.remoteAddress !== undefined;

/** @returns a function that counts a connection until it closes, and returns whether it was within every share */
function makeDoor(max: number): (socket: Socket) => boolean {
  const tiers = SHARES.map(({ keyOf, share }) => ({
    keyOf,
    count: createKeyedGate(Math.ceil(max * share)),
  }));
  return (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return false;
    const entered: (() => void)[] = [];
    const leave = () => {
      for (const each of entered) each();
    };
    for (const { keyOf, count } of tiers) {
      const key = keyOf(remoteAddress);
      if (!count.enter(key)) {
        leave();
        return false;
      }
      entered.push(() => count.leave(key));
    }
    socket.once('close', leave);
    return true;
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
