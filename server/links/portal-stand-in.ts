/**
 * GET /create-account: a page in place of the partner's portal, its policy and its terms, while the site has no portal. The page is
 * the build's (pages/create-account). It shows the values of the link, so that an operator can check them. No log has them.
 */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { LANGUAGES, type Language, pathIn, splitPath } from '#contract/language.ts';
import { CREATE_ACCOUNT_PATH, MAX_INVITATION_CODE, MAX_REFERRER } from '#contract/limits.ts';
import { setPageHeaders } from '../http/page-headers.ts';
import { perMinute } from '../http/rate-limit.ts';
import type { Settings } from '../settings.ts';
import { escapeHtml } from '../text/escape-html.ts';

interface Options {
  config: Settings;
  site: BuiltSite;
  /** Folder of the build. */
  distDir: string;
}

/** Also answers HEAD, as every GET route does. */
export async function portalStandIn(
  app: FastifyInstance,
  { config, site, distDir }: Options,
): Promise<void> {
  if (site.portalHost !== null) return;
  const entries = LANGUAGES.map((language) => [
    language,
    readFileSync(join(distDir, 'answers', `${pathIn(language, CREATE_ACCOUNT_PATH)}.html`), 'utf8'),
  ]);
  const pages: Record<Language, string> = Object.fromEntries(entries);
  app.get(
    CREATE_ACCOUNT_PATH,
    { config: { rateLimit: perMinute(config.rateLimit.other) } },
    (request, reply) => {
      const [, query] = request.url.split('?');
      return setPageHeaders(reply)
        .headers({ 'cache-control': 'no-store, no-transform', 'x-robots-tag': 'noindex' })
        .type('text/html; charset=utf-8')
        .send(fill(pages[languageOf(request.headers)], new URLSearchParams(query)));
    },
  );
}

/** The language of the page with the link. Browsers name that page only within one origin. */
function languageOf({ referer = '', 'accept-language': accepted = '' }: IncomingHttpHeaders) {
  const from = URL.parse(referer);
  if (from) return splitPath(from.pathname).language;
  return LANGUAGES.find((language) => accepted.toLowerCase().startsWith(language)) ?? 'en';
}

/** The beginning of a part of the page. Its name follows. No part contains a paragraph. */
const PART = '<p data-part="';
const INSERTED = /\{\{(\w+)\}\}/g;

function fill(page: string, query: URLSearchParams): string {
  const linked = query.get('page') ?? '';
  const name = ['privacy', 'terms'].includes(linked) ? linked : 'account';
  const values: Record<string, string> = {
    code: readValue(query, 'invitation_code', MAX_INVITATION_CODE),
    ref: readValue(query, 'ref', MAX_REFERRER),
  };
  const [start = '', ...parts] = page.split(PART);
  const asked = parts.map((part) => {
    const [each = ''] = part.split('"', 1);
    return each === name || values[each] ? PART + part : part.slice(part.indexOf('</p>') + 4);
  });
  return [start, ...asked]
    .join('')
    .replace(INSERTED, (_, each: string) => escapeHtml(values[each] ?? ''));
}

const readValue = (query: URLSearchParams, name: string, most: number): string =>
  (query.get(name) ?? '').slice(0, most).toWellFormed();
