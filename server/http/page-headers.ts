/** The headers of pages, and of redirects to a page. */
import type { FastifyReply } from 'fastify';

/** `no-transform`, because a proxy that rewrites the page breaks the hashes of its inline scripts. */
const REVALIDATE = 'no-cache, no-transform';

/**
 * Leaves out the opener policy for a visit that no page has opened. It has no effect there, but makes the browser start a second
 * process: 48 of 764 ms to the first paint (docs/decisions/001-html-and-islands.md).
 */
export function setPageHeaders(reply: FastifyReply, { isLanding = false } = {}): FastifyReply {
  const { page, pageWithoutCoop, landing } = reply.server.headersFor(reply.request);
  const isTypedAddress = reply.request.headers['sec-fetch-site'] === 'none';
  return reply
    .headers(isTypedAddress ? pageWithoutCoop : page)
    .headers(isLanding ? landing : {})
    .header('cache-control', REVALIDATE)
    .header('vary', 'accept-encoding, sec-fetch-site');
}
