/**
 * Serves the built site from the disk: pages, hashed assets, other files, and the 404 card for
 * every other path.
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

/** For a 404, which would have no page if it answered with a part of the card. */
const WITHOUT_RANGES = { acceptRanges: false };
const API_PATH = /^\/(api|k)(\/|\?|$)/;

/** @param app a scope with pageHeaders @param max unknown paths a minute and address */
export async function staticFiles(app: FastifyInstance, distDir: string, max: number) {
  const limit = perMinute(max);
  const root = join(distDir, 'client');
  const etagOf = createEtags();
  await app.register(staticPlugin, {
    root,
    preCompressed: true,
    redirect: true,
    cacheControl: false,
    // Their tags are of a file's size and time, which two builds may share.
    etag: false,
    lastModified: false,
    allowedPath: (path, _root, request) => isPublic(path, request),
    setHeaders(reply, path, stats) {
      const hasHash = setCacheHeaders(reply, path.slice(root.length).replaceAll(sep, '/'));
      // A file with a hash never changes, so no browser asks for a newer one.
      if (!hasHash && !reply.request.is404) answerIfUnchanged(reply, etagOf(path, stats));
    },
  });
  app.setErrorHandler<Error & { statusCode?: number; code: string }>((error, request, reply) => {
    // The plugin refuses a path with a NUL, with `..`, with doubled slashes, or longer than a
    // file's name.
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

/** A page has one URL, the card has none, and Accept-Encoding alone selects the compressed file. */
function isPublic(path: string, { url, is404 }: FastifyRequest): boolean {
  if (path.endsWith('/404.html')) return is404;
  if (/\.(br|gz)$/.test(path)) return false;
  if (path.endsWith('/index.html')) return url.split('?', 1)[0]?.endsWith('/') === true;
  return !path.includes('/.') || path.startsWith('/.well-known/');
}

/**
 * @param path below the root; `/assets/x.js.br` for a compressed file
 * @returns whether its name has a hash
 */
function setCacheHeaders(reply: FastifyReply, path: string): boolean {
  const file = path.replace(/\.(br|gz)$/, '');
  if (file.endsWith('.html')) {
    setPageHeaders(reply);
    return false;
  }
  const hasHash = file.startsWith('/assets/');
  reply.header('cache-control', hasHash ? CACHE_FOREVER : CACHE_AN_HOUR);
  // Other sites show these files in link previews and tabs.
  if (/^\/(og\/|favicon|apple-touch-icon|icon)/.test(file)) {
    reply.header('cross-origin-resource-policy', 'cross-origin');
  }
  return hasHash;
}

/** @returns a function that makes the ETag of a file from its content, which it reads once */
function createEtags() {
  const known = new Map<string, { version: string; tag: string }>();
  return (path: string, { ino, size, mtimeMs, ctimeMs }: Stats): string => {
    // An operator may put another build in the place of this one.
    const version = [ino, size, mtimeMs, ctimeMs].join();
    const read = known.get(path);
    if (read?.version === version) return read.tag;
    const tag = `"${createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22)}"`;
    known.set(path, { version, tag });
    return tag;
  };
}

/** Answers 304, whose body Node leaves out, if the browser has the file. */
function answerIfUnchanged(reply: FastifyReply, tag: string): void {
  reply.header('etag', tag);
  const known = reply.request.headers['if-none-match']?.split(',') ?? [];
  const isKnown = known.some((one) => ['*', tag].includes(one.trim().replace(/^W\//, '')));
  if (isKnown && reply.statusCode === 200) reply.code(304).removeHeader('content-length');
}

/**
 * The start of a short link, which people type from paper in capitals: `/R/clinic-7`,
 * `/ES/R/clinic-7`.
 */
const SHORT_LINK = /^(?:\/es)?\/r(?=[/?]|$)/i;

/**
 * Writes a leading `/R` or `/ES/R` in lower case, and leaves the code after it as it is. No page
 * has a second address in capitals, because its script reads the language from the address. Reads
 * each `%` as a text if the path's escapes are invalid, so that such a path leads to the 404 card,
 * as every unknown path.
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
