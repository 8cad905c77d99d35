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
import { rateLimitKey } from './address.ts';

/** Share of all connections for one visitor's address, where visitors connect directly. */
const LINES_TO_FILL_ALL = 5;
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
  const perLine = isBehindProxy ? max : Math.ceil(max / LINES_TO_FILL_ALL);
  const admit = makeDoor(perLine);
  server.maxConnections = max;
  server.on('connection', (socket: Socket) => {
    if (!admit(socket)) socket.destroy();
  });
  server.on('drop', makeRoomFor(server));
  // HOST=localhost listens on a second address, whose server Fastify does not hand out.
  app.addHook('onRequest', dropUnknown);
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

/** @returns a function that counts a connection until it closes, and returns whether it was within the limit */
function makeDoor(perLine: number): (socket: Socket) => boolean {
  const open = new Map<string, number>();
  const leave = (line: string) => {
    const others = (open.get(line) ?? 1) - 1;
    if (others === 0) open.delete(line);
    else open.set(line, others);
  };
  return (socket) => {
    if (socket.remoteAddress === undefined) return false;
    const line = rateLimitKey(socket.remoteAddress);
    const others = open.get(line) ?? 0;
    if (others >= perLine) return false;
    open.set(line, others + 1);
    socket.once('close', () => leave(line));
    return true;
  };
}

const dropUnknown: onRequestHookHandler = (request, reply, done) => {
  if (request.raw.socket.remoteAddress !== undefined) return done();
  reply.hijack();
  request.raw.destroy();
};
