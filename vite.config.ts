import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import vike from 'vike/plugin';
import { defineConfig, type Plugin } from 'vite';
import { SITE_FILE } from '#site.config.ts';
import { inlineScripts } from './build/inline-scripts.ts';
import { OLDEST_FOR_SCRIPTS, OLDEST_FOR_STYLES } from './build/oldest-browsers.ts';
import { siteConfigPlugin } from './build/site-config-plugin.ts';

/**
 * In development, answers with an empty style sheet in place of the second link to page.css. Vike
 * adds a link for each style sheet that a page imports, and the landing page has its own.
 */
const emptySecondStyleSheet: Plugin = {
  name: 'empty-second-style-sheet',
  configureServer({ middlewares }) {
    middlewares.use((request, answer, next) => {
      if (!request.url?.endsWith('.css?url?direct')) return next();
      answer.setHeader('content-type', 'text/css').end();
    });
  },
};

/**
 * Replaces Vike's client runtime by an empty module. No page uses it, because all pages are HTML
 * only. With it, the build would move the modules that it shares with the page's script into a
 * third file, for which every page would wait one more round trip.
 */
const withoutRuntime: Plugin = {
  name: 'without-runtime',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (id.endsWith('/runtime-server-routing/entry.js') ? 'export {};' : undefined),
};

export default defineConfig(() => {
  // build/build.ts sets these two variables, because Vite loads this file itself. They are no
  // settings of the operator.
  const { BUILT_SITE_FILE: file = SITE_FILE, BUILT_SITE_DIR: outDir = 'dist' } = process.env;
  return {
    plugins: [
      siteConfigPlugin(file),
      emptySecondStyleSheet,
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
            // The helpers for older browsers are one file, because each file adds 450 bytes of
            // headers.
            groups: [{ name: 'helpers', test: /@oxc-project.runtime/ }],
          },
        },
      },
    },
  };
});
