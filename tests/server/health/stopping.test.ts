/** The health of a server that has received SIGTERM. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../helpers/server/server-process.ts';

test('/readyz says 503 for a request that is under way when the server begins to stop', async () => {
  const server = await startServer();
  const socket = connect(server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  await once(socket, 'connect');
  let answer = '';
  socket.on('data', (text) => {
    answer += text;
  });
  // Without the empty line that ends it.
  socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\n');
  // The server has read the line above when it answers this.
  await fetch(`${server.url}/livez`);
  server.child.kill('SIGTERM');
  await expect.poll(server.said).toContain('Stopping (SIGTERM)');
  socket.write('\r\n');
  await expect
    .poll(() => answer)
    .toContain('{"status":"stopping","reasons":["The server is stopping."]}');
  expect(answer).toMatch(/^HTTP\/1\.1 503 /);
});
