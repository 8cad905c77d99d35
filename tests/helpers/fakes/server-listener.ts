/** Starts an HTTP server that replaces a remote one until the end of the test. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

interface Received {
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Status = number | null;

/** @param answer the status for the n-th request (from 0), or null to close the connection; may be a promise */
export async function startListener(answer: (n: number) => Status | Promise<Status> = () => 200) {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
    received.push({
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    });
    const status = await answer(received.length - 1);
    if (status === null) request.socket.destroy();
    else response.writeHead(status).end('{"status":1}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}
