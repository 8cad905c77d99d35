/** The yardstick: node:http that reads a click, parses it and answers; nothing is checked, nothing is kept. */
import { createServer } from 'node:http';

createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(204).end();
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
