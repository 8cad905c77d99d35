import type { Config } from 'vike/types';

/** HTML-only pages: no Vike runtime in the browser, only the page's own +client.ts. */
export default {
  prerender: { noExtraDir: true },
  clientRouting: false,
} satisfies Config;
