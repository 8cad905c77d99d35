import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import vike from 'vike/plugin';
import { defineConfig, type Plugin } from 'vite';
import { SITE_FILE } from '#site.config.ts';
import { inlineScripts } from './build/inline-scripts.ts';
import { OLDEST_FOR_SCRIPTS, OLDEST_FOR_STYLES } from './build/oldest-browsers.ts';
import { siteConfigPlugin } from './build/site-config-plugin.ts';

/**
 * In development Vike links each style sheet that a page imports, also page.css, which the page
 * links itself.
 */
const withoutSecondLink: Plugin = {
  name: 'without-second-link',
  configureServer({ middlewares }) {
    middlewares.use((request, answer, next) => {
      if (!request.url?.endsWith('.css?url?direct')) return next();
      answer.setHeader('content-type', 'text/css').end();
    });
  },
};

/**
 * Leaves out Vike's runtime, which no page loads, because all pages are HTML only. A build with the
 * runtime puts what it shares with the page's script into a third file, which every page would load
 * in a second round.
 */
const withoutRuntime: Plugin = {
  name: 'without-runtime',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (id.endsWith('/runtime-server-routing/entry.js') ? 'export {};' : undefined),
};

export default defineConfig(() => {
  // Set by build/build.ts, because Vite reads this file on its own. The operator has no such
  // variables.
  const { BUILT_SITE_FILE: file = SITE_FILE, BUILT_SITE_DIR: outDir = 'dist' } = process.env;
  return {
    plugins: [
      siteConfigPlugin(file),
      withoutSecondLink,
      withoutRuntime,
      inlineScripts(),
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
            // One file for the helpers of older browsers, because each file costs 450 bytes of
            // headers.
            groups: [{ name: 'helpers', test: /@oxc-project.runtime/ }],
          },
        },
      },
    },
  };
});
