import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import vike from 'vike/plugin';
import { defineConfig, loadEnv } from 'vite';
import { readSiteConfig } from '#site.config.ts';
import { captureInlinePlugin } from './build/capture-inline-plugin.ts';
import { siteConfigPlugin } from './build/site-config-plugin.ts';

export default defineConfig(({ mode }) => {
  const site = readSiteConfig({ ...loadEnv(mode, process.cwd(), 'VITE_'), ...process.env });
  return {
    plugins: [siteConfigPlugin(site), captureInlinePlugin(), vike(), react(), tailwindcss()],
    build: {
      target: 'es2022',
      cssMinify: true,
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  };
});
