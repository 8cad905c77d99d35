import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import vike from 'vike/plugin';
import { defineConfig } from 'vite';
import { readSiteConfig, SITE_FILE } from '#site.config.ts';
import { scriptGlobals } from './build/bundle-script.ts';
import { inlineScriptsPlugin } from './build/inline-scripts-plugin.ts';
import { OLDEST_FOR_SCRIPTS, OLDEST_FOR_STYLES } from './build/oldest-browsers.ts';
import { siteConfigPlugin } from './build/site-config-plugin.ts';

export default defineConfig(() => {
  // Set by build/build.ts, because Vite reads this file on its own. The operator has no such variables.
  const { BUILT_SITE_FILE: file = SITE_FILE, BUILT_SITE_DIR: outDir = 'dist' } = process.env;
  const site = readSiteConfig(file);
  return {
    define: scriptGlobals(site),
    plugins: [
      siteConfigPlugin(site, file),
      inlineScriptsPlugin(site),
      vike(),
      react(),
      tailwindcss(),
    ],
    build: {
      outDir,
      target: OLDEST_FOR_SCRIPTS,
      cssTarget: OLDEST_FOR_STYLES,
      cssMinify: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rolldownOptions: {
        output: {
          codeSplitting: {
            // One file for the helpers of older browsers, because each file costs 450 bytes of headers.
            groups: [{ name: 'helpers', test: /@oxc-project.runtime/ }],
          },
        },
      },
    },
  };
});
