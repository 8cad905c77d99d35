/** GET /r/CODE and /es/r/CODE: the short links on leaflets and in QR codes. Redirects to the page, which counts the visit. */
import type { FastifyInstance } from 'fastify';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { setPageHeaders } from '../http/page-headers.ts';
import { perMinute } from '../http/rate-limit.ts';
import type { Settings } from '../settings.ts';
import { cleanCode, landingUrl } from './landing-url.ts';

/** People type them from paper: in capitals, or without the code. */
const PATHS = LANGUAGES.flatMap((language) => {
  const path = pathIn(language, '/r');
  const spellings = new Set([path, path.replace('/r', '/R'), path.toUpperCase()]);
  return [...spellings].flatMap((each) => [each, `${each}/*`].map((url) => ({ language, url })));
});

export async function links(app: FastifyInstance, { rateLimit }: Settings): Promise<void> {
  const limited = { config: { rateLimit: perMinute(rateLimit.other) } };
  for (const { language, url } of PATHS) {
    app.get<{ Params: { '*'?: string } }>(url, limited, (request, reply) => {
      const [, query = ''] = request.url.split('?');
      const page = landingUrl(language, cleanCode(request.params['*'] ?? ''), query);
      // Not permanent and not stored, because a code may get another page.
      return setPageHeaders(reply).header('cache-control', 'no-store').redirect(page, 302);
    });
  }
}
