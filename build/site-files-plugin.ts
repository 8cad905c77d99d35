import type { Plugin } from 'vite';
import { LANGUAGES } from '#contract/language.ts';
import type { SiteConfig } from '#site.config.ts';

/** Emits the small files that contain the site's URL or product name, such as robots.txt. */
export function siteFilesPlugin(site: SiteConfig): Plugin {
  return {
    name: 'site-files',
    generateBundle() {
      if (this.environment.name !== 'client') return;
      for (const [fileName, source] of siteFiles(site, new Date())) {
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
    configureServer(server) {
      const files = new Map(siteFiles(site, new Date()));
      server.middlewares.use((request, response, next) => {
        const file = files.get((request.url ?? '').slice(1));
        if (file === undefined) next();
        else response.end(file);
      });
    },
  };
}

export function siteFiles(site: SiteConfig, now: Date): [path: string, text: string][] {
  return [
    ['robots.txt', `User-agent: *\nDisallow: /api/\n\nSitemap: ${site.siteUrl}/sitemap.xml\n`],
    ['manifest.webmanifest', manifest(site)],
    ['.well-known/security.txt', securityTxt(site, now)],
    ['.well-known/gpc.json', JSON.stringify({ gpc: true, lastUpdate: '2025-11-20' })],
  ];
}

function manifest(site: SiteConfig): string {
  return JSON.stringify({
    name: site.productName,
    short_name: site.productName,
    start_url: '/',
    display: 'browser',
    background_color: '#fbf7ef',
    theme_color: '#4b1f52',
    icons: [
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icon-192.png', type: 'image/png', sizes: '192x192' },
      { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
    ],
  });
}

/** RFC 9116 requires an expiry date, and recommends less than a year. Each build sets a new one. */
function securityTxt(site: SiteConfig, now: Date): string {
  const expires = new Date(now);
  expires.setUTCDate(expires.getUTCDate() + 360);
  expires.setUTCHours(0, 0, 0, 0);
  return `Contact: mailto:${site.contactEmail}
Expires: ${expires.toISOString()}
Preferred-Languages: ${LANGUAGES.join(', ')}
Canonical: ${site.siteUrl}/.well-known/security.txt
`;
}
