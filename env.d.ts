/// <reference types="vite/client" />

/** The validated site.config.ts, as plain data; made by build/site-config-plugin.ts. */
declare module 'virtual:site' {
  import type { SiteConfig } from '#site.config.ts';
  export const site: SiteConfig;
}

/** The site's apiOrigin, or nothing; put in by Vite. Only contract/api-url.ts reads it. */
declare const API_ORIGIN: string;

/** A script that stands in a page, bundled and minified; made by build/inline-scripts-plugin.ts, where the names stand. */
declare module 'virtual:inline/*' {
  const code: string;
  export default code;
}

/** It ships no types; used by tools/fonts/subset-fonts.ts alone. */
declare module 'subset-font' {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: 'woff2' | 'sfnt';
      keepFeatures: string[];
      noHinting: boolean;
      variationAxes: Record<string, number | { min: number; max: number }>;
    },
  ): Promise<Buffer>;
}
