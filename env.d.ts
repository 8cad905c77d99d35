/// <reference types="vite/client" />

/**
 * The settings that site.config.ts reads, checked, as plain data, from build/site-config-plugin.ts.
 */
declare module 'virtual:site' {
  import type { Site } from '#site.config.ts';
  export const site: Site;
}

/** An inline script, bundled and minified by build/inline-scripts.ts. */
declare module '*?script' {
  const code: string;
  export default code;
}
