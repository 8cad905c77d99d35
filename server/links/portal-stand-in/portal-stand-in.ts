/**
 * GET /create-account: a page that replaces the partner's portal, privacy policy and terms while
 * `site.json` names no portal. The page is part of the build (pages/create-account). It shows the
 * link's values, so that an operator can check them. They are not logged.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { type Language, pathIn, splitPath } from '#contract/language.ts';
import { CREATE_ACCOUNT_PATH, MAX_INVITATION_CODE, MAX_REFERRER } from '#contract/limits.ts';
import { fillPage } from '../../html/fill-page.ts';
import { sendPage } from '../../http/page-headers.ts';
import { perMinute } from '../../http/rate-limit.ts';
import type { Settings } from '../../settings.ts';

export async function portalStandIn(
  app: FastifyInstance,
  { rateLimit }: Settings,
  distDir: string,
): Promise<void> {
  const read = (language: Language) =>
    readFileSync(join(distDir, 'answers', `${pathIn(language, CREATE_ACCOUNT_PATH)}.html`), 'utf8');
  const pages = { en: read('en'), es: read('es') };
  const limited = { config: { rateLimit: perMinute(rateLimit.other) } };
  app.get(CREATE_ACCOUNT_PATH, limited, (request, reply) => {
    const [, query] = request.url.split('?');
    // The language of the page on which the link was.
    const { language } = splitPath(URL.parse(request.headers.referer ?? '')?.pathname ?? '/');
    const page = renderStandIn(pages[language], new URLSearchParams(query));
    return sendPage(reply.header('x-robots-tag', 'noindex'), page);
  });
}

/**
 * A paragraph of the page that is shown under a condition. It is text, perhaps with a value in bold
 * at its end.
 */
const PAGE_PART = /<p data-part="(\w+)"[^<]*(?:<b>[^<]*<\/b>)?<\/p>/g;

/** Keeps the paragraphs that match the link, and fills in the link's values. */
function renderStandIn(page: string, query: URLSearchParams): string {
  const linked = query.get('page') ?? '';
  const name = ['privacy', 'terms'].includes(linked) ? linked : 'account';
  const cut = (value: string, most: number) =>
    query.get(value)?.slice(0, most).toWellFormed() ?? '';
  const values: Record<string, string> = {
    code: cut('invitation_code', MAX_INVITATION_CODE),
    ref: cut('ref', MAX_REFERRER),
  };
  const shown = page.replace(PAGE_PART, (part, each: string) =>
    each === name || values[each] ? part : '',
  );
  return fillPage(shown, values);
}
