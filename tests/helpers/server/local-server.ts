import { createSocket } from 'node:dgram';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo } from 'node:net';

/**
 * Starts an HTTP server on a free port of the loopback address.
 *
 * @param tls key and certificate, which make it an HTTPS server
 */
export async function startLocalServer(listener: RequestListener, tls?: ServerOptions) {
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Range of the ports that `freePort` draws. It ends below the kernel's range for outgoing
 * connections, one of which could otherwise take the port first.
 */
const PORTS = { from: 20_000, below: 32_768 };

/** Returns a free TCP port that no other process of the tests gets while this one runs. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = PORTS.from + Math.floor(Math.random() * (PORTS.below - PORTS.from));
    if ((await reserve(port)) && (await isFree(port))) return port;
  }
}

/**
 * Reserves a port number among the processes of the tests, by binding the UDP port with that
 * number.
 *
 * @returns false if another process has reserved it
 */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
