/** Reads the target of a request as a path of this site, before a route is chosen. */
import type { IncomingMessage } from 'node:http';

const SLASH = '/'.charCodeAt(0);

/**
 * Returns the path and the query.
 *
 * - Without the protocol and the host of a target such as `http://host/help`, which HTTP allows (RFC 9112, 3.2.2). A redirect to
 *   another address of the page would lead to that host.
 * - With each `%` as a text, if the path's escapes are invalid. The path then leads to the 404 card, as every unknown path.
 */
export function sitePath({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const path = url.charCodeAt(0) === SLASH ? url : withoutHost(url);
  return path.includes('%') ? withValidEscapes(path) : path;
}

function withoutHost(url: string): string {
  const target = URL.parse(url);
  return target ? target.pathname + target.search : url;
}

function withValidEscapes(url: string): string {
  const end = url.indexOf('?');
  const path = end === -1 ? url : url.slice(0, end);
  try {
    decodeURIComponent(path);
    return url;
  } catch {
    return path.replaceAll('%', '%25') + url.slice(path.length);
  }
}
