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

/** Characters that are read of an address. The longest page's has fewer than 100, and a query at most 2,048. */
const MAX_URL = 4096;

const LANDING_PAGES = LANGUAGES.map((language) => pathIn(language, '/index.html'));

interface Options {
  /** Folder with `client/`. */
  distDir: string;
  /** Upper bound for unknown paths per minute and address. */
  notFoundLimit: number;
}

declare module 'fastify' {
  interface FastifyReply {
    /** Sends the visitor to the page that a doubled slash hides, or sends the 404 card. */
    sendCard(): FastifyReply;
  }
}

export const staticFiles = fp<Options>(async (app, { distDir, notFoundLimit }) => {
  const root = join(distDir, 'client');
  const pages = pagesIn(root);
  const known = new Set(['/', ...pages.map((page) => `${page}/`)]);
  /** Requests whose answer is the card, which has no address of its own. */
  const withCard = new WeakSet<FastifyRequest>();
  await app.register(staticPlugin, {
    root,
    preCompressed: true,
    cacheControl: false,
    allowedPath: (path, _root, request) => isPublic(path, request, withCard.has(request)),
    setHeaders: (reply, path) =>
      setFileHeaders(reply, path.slice(root.length).replaceAll(sep, '/')),
  });
  app.decorateReply('sendCard', function sendCard(this: FastifyReply) {
    const { request } = this;
    const [path = '', ...query] = request.url.slice(0, MAX_URL).split('?');
    const plain = path.replace(/\/{2,}/g, '/');
    if (plain !== path && known.has(plain)) return redirectToPage(this, plain, query);
    withCard.add(request);
    const card = pathIn(splitPath(request.url).language, '/404.html').slice(1);
    return this.code(404).header('x-robots-tag', 'noindex').sendFile(card, WHOLE_FILE);
  });
  for (const page of pages) app.get(page, (request, reply) => addSlash(request, reply));
  const limit = perMinute(notFoundLimit);
  app.setNotFoundHandler(limit ? { preHandler: app.rateLimit(limit) } : {}, (request, reply) => {
    if (/^\/(api|k)(\/|\?|$)/.test(request.url)) {
      throw new HttpError(404, 'not_found', `There is no ${request.method} at this path.`);
    }
    return reply.sendCard();
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
  return redirectToPage(reply, `${path}/`, query);
}

const redirectToPage = (reply: FastifyReply, page: string, query: readonly string[]) =>
  setPageHeaders(reply).redirect([page, ...query].join('?'), 308);

/** A page has one URL, and Accept-Encoding alone selects the compressed file. */
function isPublic(path: string, { url }: FastifyRequest, isCard: boolean): boolean {
  if (path.endsWith('/404.html')) return isCard;
  if (/\.(br|gz)$/.test(path)) return false;
  if (path.endsWith('/index.html')) return url.split('?', 1)[0]?.endsWith('/') === true;
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
