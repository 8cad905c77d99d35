/// <reference types="vite/client" />

/** What site.config.ts reads, checked, as plain data, from build/site-config-plugin.ts. */
declare module 'virtual:site' {
  import type { FactsByLanguage, Site } from '#site.config.ts';
  export const site: Site;
  export const facts: FactsByLanguage;
}

/** The site's posthogKey and ipLookupUrl. Vite inserts them into scripts that must not contain the whole configuration. */
declare const POSTHOG_KEY: string | null;
/** What the server keeps of a visitor's address, as the build says it. */
declare const LOG_IP: import('#contract/privacy.schema.ts').LogIp;
declare const IP_LOOKUP_URL: string | null;

/** An inline script, bundled and minified by build/inline-scripts-plugin.ts, which lists the names. */
declare module 'virtual:inline/*' {
  const code: string;
  export default code;
}

/** URL of the help pages' module, from build/help-module-plugin.ts. */
declare module 'virtual:help-module' {
  const url: string;
  export default url;
}
