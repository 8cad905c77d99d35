/**
 * GET /r/CODE and /es/r/CODE: the short links on leaflets and in QR codes. Redirects to the page,
 * which counts the visit.
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
 * Short links lead to the page without a code, too. sitePath has written their first parts in lower
 * case.
 */
const SHORT_LINK_ROUTES = LANGUAGES.flatMap((language) => {
  const path = pathIn(language, LINK_PATH);
  return [path, `${path}/*`].map((url) => ({ language, url }));
});

export async function links(app: FastifyInstance, { rateLimit }: Settings): Promise<void> {
  const limited = { config: { rateLimit: perMinute(rateLimit.other) } };
  for (const { language, url } of SHORT_LINK_ROUTES) {
    app.get<{ Params: { '*'?: string } }>(url, limited, (request, reply) => {
      // With all later question marks: a tool may have joined a second query.
      const query = request.url.replace(/^[^?]*\??/, '');
      const page = makeLandingUrl(language, request.params['*'] ?? '', query);
      // Not permanent and not stored, because a code may get another page.
      return setPageHeaders(reply).header('cache-control', 'no-store').redirect(page, 302);
    });
  }
}

/**
 * Makes `/?ref=clinic-7`, or `/es/?ref=clinic-7`, with the campaign parameters that the site reads.
 * Every code leads to the page, known or not. A code cannot change the host, because it is always a
 * query value.
 *
 * @param typed the decoded part after `/r/`
 */
function makeLandingUrl(language: Language, typed: string, query: string): string {
  const given = queryOfCode(typed, query);
  const [code] = CODE_WITHOUT_TRAILING_SIGNS.exec(readRef(given) ?? '') ?? [];
  const params = new URLSearchParams();
  if (code) params.set('ref', code);
  const values = firstValues(sourceParameters(given));
  // As they are: the page's view tells the server that there was a value, also if it is not kept.
  for (const name of CAMPAIGN_PARAMETERS) {
    const value = values[name];
    if (value) params.set(name, value);
  }
  return `${pathIn(language, '/')}${params.size > 0 ? `?${params}` : ''}`;
}

/**
 * Leaves out what a sentence or a program may have after a code. A pattern with `+$` would try each
 * character of a long run.
 */
const CODE_WITHOUT_TRAILING_SIGNS = /^.*[^\s/.,:;!?…。、！？)\]}>*"'’”»`]/s;
