/** `site link`: the short link of a clinic, its QR code, and its name. The leaflet is on /report. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLocal } from '#contract/is-local.ts';
import type { Language } from '#contract/language.ts';
import { readBuiltSite } from '../built-site.ts';
import { nameLink } from '../links/known-links.ts';
import { qrCode, qrCodePng, urlOf } from '../links/qr-code.ts';
import { print, withDatabase } from './common.ts';

interface LinkOptions {
  ref: string;
  name?: string;
  language: Language;
  to: string;
  build: string;
}

export async function link({ ref, name, language, build, to: folder }: LinkOptions) {
  const site = readBuiltSite(build);
  if (isLocal(site.siteUrl))
    process.stderr.write(
      `${site.siteUrl} is this machine, which no visitor can reach. For a link to give away, set siteUrl in site.json and build again.\n`,
    );
  // Before the files, so that nothing is made without a database.
  if (name !== undefined) await withDatabase((db) => nameLink(db, ref, name));
  const url = urlOf({ site, ref, language });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `link-${ref}${language === 'en' ? '' : `.${language}`}`);
  writeFileSync(`${file}.svg`, qrCode(url));
  writeFileSync(`${file}.png`, qrCodePng(url));
  print(`${url}\n${file}.svg\n${file}.png`);
}
