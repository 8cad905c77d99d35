import type { Config } from 'vike/types';
import type { Language } from '#contract/language.ts';

/** HTML-only pages: no Vike runtime in the browser, only the page's own +client.ts. */
export default {
  prerender: true,
  clientRouting: false,
} satisfies Config;

declare global {
  namespace Vike {
    interface PageContext {
      language: Language;
    }
  }
}
