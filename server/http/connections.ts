/**
 * Guards every connection before its first request is looked at.
 *
 * The operating system forgets the address of a connection that its client has reset. Therefore the address is read as
 * soon as the connection is accepted; Node keeps what was read. A request whose address stays unknown is dropped:
 * no client waits for an answer, and the rate limit has no key for it.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';
import { rateLimitKey } from './address.ts';

/** What one visitor's line may take of all connections, where visitors connect directly: a fifth. */
const LINES_TO_FILL_ALL = 5;
/** Between two searches for idle connections, each of which looks at all. */
const CLEARING_MS = 1000;

interface Options {
  /** Connections that are open at the same time. */
  max: number;
  /** Every connection comes from a proxy, whose address says nothing of the visitor. */
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
 * Connections that only wait for a next request make room for those that have one; browsers open them again.
 *
 * @returns a function to call for each connection that was refused, however many there are
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

/** @returns a function that counts a connection until it closes, and says whether there was room for it */
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
