/**
 * GET /r/CODE and /es/r/CODE: the short links on leaflets and in QR codes. Each redirects to the
 * landing page, which then counts the visit.
 */
import type { FastifyInstance } from 'fastify';
import { LANGUAGES, type Language, pathIn } from '#contract/language.ts';
import { queryOfCode, readRef } from '#contract/ref.ts';
import { CAMPAIGN_PARAMETERS, firstValues, sourceParameters } from '#contract/visit.ts';
import { setPageHeaders } from '../http/page-headers.ts';
import { perMinute } from '../http/rate-limit.ts';
import type { Settings } from '../settings.ts';

/** Path of short links: `/r/clinic-7`, and `/es/r/clinic-7` for the Spanish page. */
export const LINK_PATH = '/r';

/**
 * The routes of short links, with and without a code. `normalizePath` has changed their beginning
 * to lower case.
 */
const SHORT_LINK_ROUTES = LANGUAGES.flatMap((language) => {
  const path = pathIn(language, LINK_PATH);
  return [path, `${path}/*`].map((url) => ({ language, url }));
});

export async function links(app: FastifyInstance, { rateLimit }: Settings): Promise<void> {
  const limited = { config: { rateLimit: perMinute(rateLimit.other) } };
  for (const { language, url } of SHORT_LINK_ROUTES) {
    app.get<{ Params: { '*'?: string } }>(url, limited, (request, reply) => {
      // Everything after the first question mark, because a tool may have joined a second query
      // with another one.
      const query = request.url.replace(/^[^?]*\??/, '');
      const page = makeLandingUrl(language, request.params['*'] ?? '', query);
      // The redirect is temporary and not cached, because a code may later lead to another page.
      return setPageHeaders(reply).header('cache-control', 'no-store').redirect(page, 302);
    });
  }
}

/**
 * Makes the URL of the landing page, such as `/?ref=clinic-7` or `/es/?ref=clinic-7`, with the
 * link's campaign parameters. Every code leads to the page, whether the table has it or not. A code
 * cannot change the host, because it is only a query value.
 *
 * @param typed the part after `/r/`, decoded
 * @param query the rest of the URL, without the question mark
 */
function makeLandingUrl(language: Language, typed: string, query: string): string {
  const parameters = queryOfCode(typed, query);
  const [code] = CODE_WITHOUT_TRAILING_SIGNS.exec(readRef(parameters) ?? '') ?? [];
  const params = new URLSearchParams();
  if (code) params.set('ref', code);
  const values = firstValues(sourceParameters(parameters));
  // Unchanged: the page's view tells the server that there was a value even if the value is not
  // kept.
  for (const name of CAMPAIGN_PARAMETERS) {
    const value = values[name];
    if (value) params.set(name, value);
  }
  return `${pathIn(language, '/')}${params.size > 0 ? `?${params}` : ''}`;
}

/**
 * Matches a code without the punctuation that a sentence or a program may have added at its end.
 * The pattern searches from the end: one with `+$` would take quadratic time for a long run of such
 * characters.
 */
const CODE_WITHOUT_TRAILING_SIGNS = /^.*[^\s/.,:;!?…。、！？)\]}>*"'’”»`]/s;
