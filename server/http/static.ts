/**
 * Serves the built site from the disk: pages, assets with hashed names, other files, and the 404
 * page for every other path.
 */
import { createHash } from 'node:crypto';
import { readFileSync, type Stats } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join, sep } from 'node:path';
import staticPlugin from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pathIn, splitPath } from '#contract/language.ts';
import { sendError } from './errors.ts';
import { HttpError } from './http-error.ts';
import { setPageHeaders } from './page-headers.ts';
import { perMinute } from './rate-limit.ts';

const CACHE_FOREVER = 'public, max-age=31536000, immutable';
const CACHE_AN_HOUR = 'public, max-age=3600';

/**
 * Ranges are off for the 404 page. Otherwise a Range request would be answered with only a part of
 * it.
 */
const WITHOUT_RANGES = { acceptRanges: false };
const API_PATH = /^\/(api|k)(\/|\?|$)/;

/**
 * Registers the files of the build.
 *
 * @param app a scope with pageHeaders
 * @param max requests for unknown paths per minute and address; 0: unlimited
 */
export async function staticFiles(app: FastifyInstance, distDir: string, max: number) {
  const limit = perMinute(max);
  const root = join(distDir, 'client');
  const etagOf = createEtags();
  await app.register(staticPlugin, {
    root,
    preCompressed: true,
    redirect: true,
    cacheControl: false,
    // The plugin's own ETag consists of size and time, which may be equal in two builds.
    etag: false,
    lastModified: false,
    allowedPath: (path, _root, request) => isPublic(path, request),
    setHeaders(reply, path, stats) {
      const hasHash = setCacheHeaders(reply, path.slice(root.length).replaceAll(sep, '/'));
      // A file with a hashed name never changes, so browsers never revalidate it.
      if (!hasHash && !reply.request.is404) answerIfUnchanged(reply, etagOf(path, stats));
    },
  });
  app.setErrorHandler<Error & { statusCode?: number; code: string }>((error, request, reply) => {
    // The plugin throws for a path with a NUL, with `..`, with doubled slashes, or longer than a
    // file name may be. Such a path gets the 404 page.
    const isOddPath = !(error instanceof HttpError) && (error.statusCode ?? 500) < 500;
    if (isOddPath && !API_PATH.test(request.url)) reply.callNotFound();
    else sendError(error, request, reply);
  });
  app.setNotFoundHandler(limit ? { preHandler: app.rateLimit(limit) } : {}, (request, reply) => {
    if (API_PATH.test(request.url)) {
      throw new HttpError(404, 'not_found', `There is no ${request.method} at this path.`);
    }
    const card = pathIn(splitPath(request.url).language, '/404.html').slice(1);
    return reply.code(404).header('x-robots-tag', 'noindex').sendFile(card, WITHOUT_RANGES);
  });
}

/**
 * Whether a file may be requested by its own path. A page has only the URL that ends with a slash.
 * The 404 page has none. Compressed files are selected only by Accept-Encoding.
 */
function isPublic(path: string, { url, is404 }: FastifyRequest): boolean {
  if (path.endsWith('/404.html')) return is404;
  if (/\.(br|gz)$/.test(path)) return false;
  if (path.endsWith('/index.html')) return url.split('?', 1)[0]?.endsWith('/') === true;
  return !path.includes('/.') || path.startsWith('/.well-known/');
}

/**
 * Sets the Cache-Control header of a file, and a page's headers.
 *
 * @param path path below the root, such as `/assets/x.js.br` for a compressed file
 * @returns whether the file's name has a hash
 */
function setCacheHeaders(reply: FastifyReply, path: string): boolean {
  const file = path.replace(/\.(br|gz)$/, '');
  if (file.endsWith('.html')) {
    setPageHeaders(reply);
    return false;
  }
  const hasHash = file.startsWith('/assets/');
  reply.header('cache-control', hasHash ? CACHE_FOREVER : CACHE_AN_HOUR);
  // Other sites may embed these files, in link previews and tabs.
  if (/^\/(og\/|favicon|apple-touch-icon|icon)/.test(file)) {
    reply.header('cross-origin-resource-policy', 'cross-origin');
  }
  return hasHash;
}

/** Creates a function that makes a file's ETag from its content, which is read once. */
function createEtags() {
  const cache = new Map<string, { version: string; tag: string }>();
  return (path: string, { ino, size, mtimeMs, ctimeMs }: Stats): string => {
    // Reads the file again if it has changed, because an operator may replace the build.
    const version = [ino, size, mtimeMs, ctimeMs].join();
    const cached = cache.get(path);
    if (cached?.version === version) return cached.tag;
    const tag = `"${createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22)}"`;
    cache.set(path, { version, tag });
    return tag;
  };
}

/**
 * Sets the ETag, and changes the status to 304 if the browser already has the file. Node leaves the
 * body of a 304 out.
 */
function answerIfUnchanged(reply: FastifyReply, tag: string): void {
  reply.header('etag', tag);
  const known = reply.request.headers['if-none-match']?.split(',') ?? [];
  const isKnown = known.some((one) => ['*', tag].includes(one.trim().replace(/^W\//, '')));
  if (isKnown && reply.statusCode === 200) reply.code(304).removeHeader('content-length');
}

/**
 * The beginning of a short link in any case, because people type it from paper in capitals:
 * `/R/clinic-7`, `/ES/R/clinic-7`.
 */
const SHORT_LINK = /^(?:\/es)?\/r(?=[/?]|$)/i;

/**
 * Normalises a request's URL. Writes a leading `/R` or `/ES/R` in lower case, and leaves the code
 * after it as it is. Pages have no second URL in capitals, because their script reads the language
 * from the path. If the path has invalid escapes, each `%` is escaped, so that the path gets the
 * 404 page like every unknown path.
 */
export function normalizePath({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
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
