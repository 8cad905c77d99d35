/// <reference types="vite/client" />

/** The settings of the site as plain data. build/site-config-plugin.ts provides this module. */
declare module 'virtual:site' {
  import type { Site } from '#site.config.ts';
  export const site: Site;
}

/** The code of an inline script as a text. build/inline-scripts.ts bundles and minifies it. */
declare module '*?script' {
  const code: string;
  export default code;
}
