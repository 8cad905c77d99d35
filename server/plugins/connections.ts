/**
 * Guards every connection before its first request is looked at.
 *
 * The operating system forgets the address of a connection that its client has reset. Therefore the address is read as
 * soon as the connection is accepted; Node keeps what was read. A request whose address stays unknown is dropped:
 * there is nobody to answer, and nothing to count it by.
 */
import type { Socket } from 'node:net';
import type { onRequestHookHandler } from 'fastify';
import fp from 'fastify-plugin';

export const connections = fp(async (app) => {
  app.server.on('connection', (socket: Socket) => {
    if (socket.remoteAddress === undefined) socket.destroy();
  });
  // HOST=localhost listens on a second address, whose server Fastify does not hand out.
  app.addHook('onRequest', dropUnknown);
});

const dropUnknown: onRequestHookHandler = (request, reply, done) => {
  if (request.raw.socket.remoteAddress !== undefined) return done();
  reply.hijack();
  request.raw.destroy();
};
