/**
 * `site link`: prints the short link of a clinic, writes its QR code to files, and stores its name.
 * The leaflet is on /report.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLocal } from '#contract/is-local.ts';
import type { Language } from '#contract/language.ts';
import { readBuiltSite } from '../built-site.ts';
import type { Database } from '../database/database.ts';
import { findLink, upsertLink } from '../links/known-links.ts';
import { makeQrCodePng, makeQrCodeSvg, shortUrlOf } from '../links/qr-code.ts';
import { print, withDatabase } from './common.ts';

interface LinkOptions {
  ref: string;
  name?: string;
  language: Language;
  /** Folder for the QR code. */
  to: string;
  /** Folder of the build. */
  build: string;
}

/** Makes the link. A name is stored only if `name` is there. */
export async function link({ ref, name, language, build, to: folder }: LinkOptions) {
  const site = readBuiltSite(build);
  if (isLocal(site.siteUrl))
    process.stderr.write(
      `${site.siteUrl} is this machine, which no visitor can reach. For a link to give away, set siteUrl in site.json and build again.\n`,
    );
  // The name is stored before the files are written, so that without a database no file is left.
  if (name !== undefined) await withDatabase((db) => nameOrThrow(db, ref, name));
  const url = shortUrlOf({ site, ref, language });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `link-${ref}${language === 'en' ? '' : `.${language}`}`);
  writeFileSync(`${file}.svg`, makeQrCodeSvg(url));
  writeFileSync(`${file}.png`, makeQrCodePng(url));
  print(`${url}\n${file}.svg\n${file}.png`);
}

/** Stores the name of a link. @throws (rejects with) an Error if another link has the code */
async function nameOrThrow(db: Database, ref: string, name: string): Promise<void> {
  if (await upsertLink(db, ref, name)) return;
  const { ref: taken = ref, name: owner = '' } = (await findLink(db, ref)) ?? {};
  throw new Error(`${taken} is the code of “${owner}”. Choose another one.`);
}
