/** A small build, in the form of dist/. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { LANGUAGES, pathIn } from '#contract/language.ts';

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
  registrationRetentionDays: 0,
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

/** @returns the folder; it is removed at the end of the test */
export function makeDist(site: Partial<BuiltSite> = {}): string {
  const dist = mkdtempSync(join(tmpdir(), 'dist-'));
  onTestFinished(() => rmSync(dist, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(FILES)) {
    const file = join(dist, 'client', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (!/\.(html|js|svg)$/.test(name)) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(text));
    writeFileSync(`${file}.gz`, gzipSync(text));
  }
  writeFileSync(join(dist, 'site.json'), JSON.stringify({ ...SITE, ...site }));
  return dist;
}

/** Makes a build with the form and the pages that answer it. */
export function makeFormDist(site: Partial<BuiltSite> = {}): string {
  const dist = makeDist({ ...site, registerForm: true });
  for (const language of LANGUAGES) {
    const folder = join(dist, 'answers', pathIn(language, '/'));
    mkdirSync(folder, { recursive: true });
    const html = (body: string) => `<!doctype html><html lang="${language}">${body}`;
    writeFileSync(join(folder, 'registered.html'), html('<h1>Welcome</h1>'));
    writeFileSync(join(folder, 'not-registered.html'), html('<li>{{messages}}</li>'));
  }
  return dist;
}
