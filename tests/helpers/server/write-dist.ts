/** Writes a small build in the form of dist/. It does not import Vitest. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { BuiltSite } from '#contract/built-site.schema.ts';

export const SITE: BuiltSite = {
  inlineHashes: {
    script: ["'sha256-script='", "'sha256-help-script='"],
    style: ["'sha256-style='", "'sha256-help-style='"],
  },
  ipLookupOrigin: 'https://ip.example',
  siteUrl: 'https://site.example',
  portalHost: 'portal.example',
  partnerHosts: ['portal.example'],
  posthogKey: 'phc_test',
  posthogHost: 'https://us.i.posthog.com',
  logIp: 'full',
  referrerDetail: 'class',
  clickRetentionDays: 0,
  personalDataDays: 90,
  registrationRetentionDays: 0,
  weeklyClicks: null,
  timeZone: 'UTC',
  registerForm: false,
  operator: 'Road Forward',
  phone: '+1 (555) 010-0199',
  phoneUrl: 'tel:+15550100199',
  exampleKeys: [],
  exampleNames: [],
  mail: {
    productName: 'SMA Data Drive',
    partnerName: 'Wayfield Health',
    signUpUrl: 'https://portal.example/create-account?invitation_code=SMADRIVE',
    contactEmail: 'hello@portal.example',
    privacyUrl: 'https://portal.example/privacy',
  },
};

const FILES = {
  'index.html': '<!doctype html><title>The page</title>',
  '404.html': '<!doctype html><title>404 Page Not Found</title>',
  'help/index.html': '<!doctype html><title>Answers</title>',
  'es/index.html': '<!doctype html><title>La página</title>',
  'es/404.html': '<!doctype html><title>404: página no encontrada</title>',
  'assets/app.3Hrwr8nA.js': 'console.info("app");',
  'assets/film.Ab12Cd34.mp4': 'a film of some bytes',
  'og/card.png': 'a picture',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'favicon.ico': 'an icon',
  'sitemap.xml': '<?xml version="1.0" encoding="UTF-8"?><urlset/>',
  '.well-known/security.txt': 'Contact: mailto:hello@portal.example',
  '.secret': 'not for anybody',
};

/** Writes some files and the site.json of a build into an empty folder. */
export function writeDist(dist: string, site: Partial<BuiltSite> = {}): void {
  for (const [name, text] of Object.entries(FILES)) {
    const file = join(dist, 'client', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (!/\.(html|js|svg)$/.test(name)) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(text));
    writeFileSync(`${file}.gz`, gzipSync(text));
  }
  writeFileSync(join(dist, 'site.json'), JSON.stringify({ ...SITE, ...site }));
}
