/** A fake of the partner's portal: an HTTPS server with one page. */
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

export const PORTAL_HOST = 'portal.example';

export interface PortalServer {
  port: number;
  close(): Promise<void>;
}

export async function startPortal(): Promise<PortalServer> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: PORTAL_HOST }]);
  const server = createServer({ key, cert }, (_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end('<!doctype html><link rel=icon href=data:,><title>Create your account</title>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
