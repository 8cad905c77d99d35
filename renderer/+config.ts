import type { Config } from 'vike/types';
import type { Language } from '#contract/language.ts';

/**
 * HTML-only pages: no Vike runtime and no React of a page in the browser, only a page's +client.ts.
 */
export default {
  prerender: true,
  clientRouting: false,
  meta: { Page: { env: { server: true } } },
} satisfies Config;

declare global {
  namespace Vike {
    interface PageContext {
      language: Language;
    }
  }
}
