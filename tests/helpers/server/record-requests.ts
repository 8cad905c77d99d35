/**
 * Records the requests of a server: start it with `node --import` of this file, and it appends path
 * and query of each request to the file that the variable REQUESTS_FILE names. (The server itself
 * does not log them.)
 */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';

const { REQUESTS_FILE = '' } = process.env;

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  appendFileSync(REQUESTS_FILE, `${request.url}\n`);
});
