/** A fake of the partner's portal: an HTTPS server with one page. */
import { generate } from 'selfsigned';
import { startLocalServer } from '../server/local-server.ts';

export const PORTAL_HOST = 'portal.example';

export async function startPortal() {
  const { private: key, cert } = await generate([{ name: 'commonName', value: PORTAL_HOST }]);
  const page = '<!doctype html><link rel=icon href=data:,><title>Create your account</title>';
  const answer = { 'content-type': 'text/html' };
  return startLocalServer((_, response) => response.writeHead(200, answer).end(page), {
    key,
    cert,
  });
}
