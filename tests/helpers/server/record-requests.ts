/**
 * A server that starts with `node --import` of this file appends the address of each request to the
 * file that REQUESTS_FILE names, a line each. The server itself logs no addresses.
 */
import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';

const { REQUESTS_FILE = '' } = process.env;

subscribe('http.server.request.start', (message) => {
  const { request } = message as { request: IncomingMessage };
  appendFileSync(REQUESTS_FILE, `${request.url}\n`);
});
