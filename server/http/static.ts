/** Serves the built site from the disk: pages, hashed assets, other files, and the 404 page for every other path. */
import { globSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import staticPlugin from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import { LANGUAGES, pathIn, splitPath } from '#contract/language.ts';
import { HttpError } from './http-error.ts';
import { setPageHeaders } from './page-headers.ts';
import { perMinute } from './rate-limit/rate-limit.ts';

const FOREVER = 'public, max-age=31536000, immutable';
const AN_HOUR = 'public, max-age=3600';

/** Headers to remove for a 404, because with them the answer would have no page. */
const WHOLE_FILE = { etag: false, lastModified: false, acceptRanges: false };

const LANDING_PAGES = LANGUAGES.map((language) => pathIn(language, '/index.html'));

interface Options {
  /** Folder with `client/`. */
  distDir: string;
  /** Upper bound for unknown paths per minute and address. */
  notFoundLimit: number;
}

export const staticFiles = fp<Options>(async (app, { distDir, notFoundLimit }) => {
  const root = join(distDir, 'client');
  await app.register(staticPlugin, {
    root,
    preCompressed: true,
    cacheControl: false,
    allowedPath: isPublic,
    setHeaders: (reply, path) =>
      setFileHeaders(reply, path.slice(root.length).replaceAll(sep, '/')),
  });
  for (const page of pagesIn(root)) app.get(page, (request, reply) => addSlash(request, reply));
  const limit = perMinute(notFoundLimit);
  app.setNotFoundHandler(limit ? { preHandler: app.rateLimit(limit) } : {}, (request, reply) => {
    if (/^\/(api|k)(\/|\?|$)/.test(request.url)) {
      throw new HttpError(404, 'not_found', `There is no ${request.method} at this path.`);
    }
    const card = pathIn(splitPath(request.url).language, '/404.html').slice(1);
    return reply.code(404).header('x-robots-tag', 'noindex').sendFile(card, WHOLE_FILE);
  });
});

/** @returns the paths of the pages below the root, without their slash at the end, such as `/help` */
const pagesIn = (root: string): string[] =>
  globSync('**/index.html', { cwd: root })
    .map((file) => `/${dirname(file).replaceAll(sep, '/')}`)
    .filter((page) => page !== '/.');

/** Sends the visitor to the page's only URL, which ends with a slash. Keeps the query, because it contains the `ref`. */
function addSlash({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const [path = '', ...query] = url.split('?');
  return setPageHeaders(reply).redirect([`${path}/`, ...query].join('?'), 308);
}

/** A page has one URL, and Accept-Encoding alone selects the compressed file. */
function isPublic(path: string, _root: string | undefined, request: FastifyRequest): boolean {
  if (path.endsWith('/404.html')) return request.is404;
  if (/\.(br|gz)$/.test(path)) return false;
  if (path.endsWith('/index.html')) return !request.url.startsWith(path);
  return !path.includes('/.') || path.startsWith('/.well-known/');
}

/** @param path below the root; `/assets/x.js.br` for a compressed file */
function setFileHeaders(reply: FastifyReply, path: string): void {
  const file = path.replace(/\.(br|gz)$/, '');
  if (file.endsWith('.html')) {
    setPageHeaders(reply, { isLanding: LANDING_PAGES.includes(file) });
    return;
  }
  reply.headers(reply.server.headersFor(reply.request).file);
  reply.header('cache-control', file.startsWith('/assets/') ? FOREVER : AN_HOUR);
  // Other sites show these files in link previews and tabs.
  if (/^\/(og\/|favicon|apple-touch-icon|icon)/.test(file)) {
    reply.header('cross-origin-resource-policy', 'cross-origin');
  }
}
