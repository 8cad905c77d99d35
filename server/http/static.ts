/** Serves the built site from the disk: pages, hashed assets, other files, and the 404 card for every other path. */
import type { IncomingMessage } from 'node:http';
import { join, sep } from 'node:path';
import staticPlugin from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathIn, splitPath } from '#contract/language.ts';
import { sendError } from './errors.ts';
import { HttpError } from './http-error.ts';
import { setPageHeaders } from './page-headers.ts';
import { perMinute } from './rate-limit.ts';

const FOREVER = 'public, max-age=31536000, immutable';
const AN_HOUR = 'public, max-age=3600';

/** Headers to remove for a 404, because with them the answer would have no page. */
const WHOLE_FILE = { etag: false, lastModified: false, acceptRanges: false };
const API = /^\/(api|k)(\/|\?|$)/;

/** @param app a scope with pageHeaders @param max unknown paths a minute and address */
export async function staticFiles(app: FastifyInstance, distDir: string, max: number) {
  const limit = perMinute(max);
  const root = join(distDir, 'client');
  await app.register(staticPlugin, {
    root,
    preCompressed: true,
    redirect: true,
    cacheControl: false,
    allowedPath: (path, _root, request) => isPublic(path, request),
    setHeaders: (reply, path) => setCaching(reply, path.slice(root.length).replaceAll(sep, '/')),
  });
  app.setErrorHandler<Error & { statusCode?: number; code: string }>((error, request, reply) => {
    // The plugin refuses a path with a NUL, with `..`, with doubled slashes, or longer than a file's name.
    const isOddPath = !(error instanceof HttpError) && (error.statusCode ?? 500) < 500;
    if (isOddPath && !API.test(request.url)) reply.callNotFound();
    else sendError(error, request, reply);
  });
  app.setNotFoundHandler(limit ? { preHandler: app.rateLimit(limit) } : {}, (request, reply) => {
    if (API.test(request.url)) {
      throw new HttpError(404, 'not_found', `There is no ${request.method} at this path.`);
    }
    const card = pathIn(splitPath(request.url).language, '/404.html').slice(1);
    return reply.code(404).header('x-robots-tag', 'noindex').sendFile(card, WHOLE_FILE);
  });
}

/** A page has one URL, the card has none, and Accept-Encoding alone selects the compressed file. */
function isPublic(path: string, { url, is404 }: FastifyRequest): boolean {
  if (path.endsWith('/404.html')) return is404;
  if (/\.(br|gz)$/.test(path)) return false;
  if (path.endsWith('/index.html')) return url.split('?', 1)[0]?.endsWith('/') === true;
  return !path.includes('/.') || path.startsWith('/.well-known/');
}

/** @param path below the root; `/assets/x.js.br` for a compressed file */
function setCaching(reply: FastifyReply, path: string): void {
  const file = path.replace(/\.(br|gz)$/, '');
  if (file.endsWith('.html')) {
    setPageHeaders(reply);
    return;
  }
  const hasHash = file.startsWith('/assets/');
  reply.header('cache-control', hasHash ? FOREVER : AN_HOUR);
  // A file with a hash never changes, so no browser asks for a newer one.
  if (hasHash) reply.removeHeader('etag').removeHeader('last-modified');
  // Other sites show these files in link previews and tabs.
  if (/^\/(og\/|favicon|apple-touch-icon|icon)/.test(file)) {
    reply.header('cross-origin-resource-policy', 'cross-origin');
  }
}

/** The start of a short link, which people type from paper in capitals: `/R/clinic-7`, `/ES/R/clinic-7`. */
const SHORT_LINK = /^(?:\/es)?\/r(?=[/?]|$)/i;

/**
 * Writes a leading `/R` or `/ES/R` in lower case, and leaves the code after it as it is. No page has a second address in capitals,
 * because its script reads the language from the address. Reads each `%` as a text if the path's escapes are invalid, so that such
 * a path leads to the 404 card, as every unknown path.
 */
export function sitePath({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const typed = url.replace(SHORT_LINK, (start) => start.toLowerCase());
  if (!typed.includes('%')) return typed;
  const [path = '', ...query] = typed.split('?');
  try {
    decodeURIComponent(path);
    return typed;
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?');
  }
}
