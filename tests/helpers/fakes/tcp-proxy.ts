/** A TCP proxy that breaks the connection at a moment that the test sets. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export async function startTcpProxy(serverPort: number) {
  /** The request whose answer never arrives. */
  let fatal: string | null = null;
  let isHeld = false;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1');
    let cut = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => {});
    }
    client.on('data', (bytes) => {
      if (fatal !== null && bytes.includes(fatal)) {
        cut = true;
        fatal = null;
      }
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (cut) client.destroy();
      else if (!isHeld) client.write(bytes);
    });
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    /** Passes the next request with these bytes on, and drops its answer. */
    cutAnswerTo(bytes: string) {
      fatal = bytes;
    },
    /** Passes requests on, and no answer. */
    holdAnswers() {
      isHeld = true;
    },
  };
}
