/// <reference types="vite/client" />

/** What site.config.ts reads, checked, as plain data, from build/site-config-plugin.ts. */
declare module 'virtual:site' {
  import type { FactsByLanguage, Site } from '#site.config.ts';
  export const site: Site;
  export const facts: FactsByLanguage;
}

/** The site's posthogKey. Vite inserts it into the inline script, which must not contain the whole configuration. */
declare const POSTHOG_KEY: string | null;

/** An inline script, bundled and minified by build/inline-scripts-plugin.ts, which lists the names. */
declare module 'virtual:inline/*' {
  const code: string;
  export default code;
}
