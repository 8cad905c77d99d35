/** The baseline: a node:http server that reads, parses and answers a click. It checks and stores nothing. */
import { createServer } from 'node:http';

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(204).end();
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
