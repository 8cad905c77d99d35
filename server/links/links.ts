/** GET /r/CODE and /es/r/CODE: the short links on leaflets and in QR codes. Redirects to the page, which counts the visit. */
import type { FastifyInstance } from 'fastify';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { setPageHeaders } from '../http/page-headers.ts';
import { perMinute } from '../http/rate-limit.ts';
import type { Settings } from '../settings.ts';
import { cleanCode, landingUrl } from './landing-url.ts';

interface Options {
  config: Settings;
}

const PATHS = LANGUAGES.flatMap((language) => {
  const path = pathIn(language, '/r');
  const spellings = [path, path.replace('/r', '/R'), path.toUpperCase()];
  return [...new Set(spellings)].flatMap((each) => [
    { language, path: each },
    { language, path: `${each}/*` },
  ]);
});

/** Also answers HEAD, as every GET route does. */
export async function links(app: FastifyInstance, { config }: Options): Promise<void> {
  // People type it from paper: in capitals, or without the code.
  for (const { language, path } of PATHS) {
    app.get<{ Params: { '*'?: string } }>(
      path,
      { config: { rateLimit: perMinute(config.rateLimit.other) } },
      (request, reply) => {
        const typed = cleanCode(request.params['*'] ?? '');
        const [, query = ''] = request.url.split('?');
        const url = landingUrl(language, typed, query);
        // Not permanent and not stored, because a code may get another page.
        return setPageHeaders(reply).header('cache-control', 'no-store').redirect(url, 302);
      },
    );
  }
}
