/** A fake of the partner's portal: an HTTPS server that records the opened URLs. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

export const PORTAL_HOST = 'portal.example';

export interface PortalServer {
  port: number;
  /** Opened paths with their queries, in order. */
  visits: string[];
  close(): Promise<void>;
}

export async function startPortal(): Promise<PortalServer> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: PORTAL_HOST }]);
  const visits: string[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    if (request.url?.startsWith('/create-account')) visits.push(request.url);
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><link rel=icon href=data:,><title>Create your account</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    visits,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
