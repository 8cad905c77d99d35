/** `site link`: the short link of a clinic, its QR code, a leaflet to print, and its name. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Language } from '#contract/language.ts';
import { isLocal, readBuiltSite } from '../built-site.ts';
import { nameLink, readLinks } from '../links/known-links.ts';
import { leafletStyle, printLeaflet, qrCode, urlOf } from '../links/leaflet.ts';
import { withDatabase } from './with-database.ts';

interface LinkOptions {
  /** Without it, the command lists the links that have a name. */
  ref?: string;
  name?: string;
  language: Language;
  to: string;
  build: string;
  /** Parameters of the form that the page reads. */
  campaign: URLSearchParams;
}

export async function link(options: LinkOptions, print: (text: string) => void): Promise<void> {
  const { ref, name, language, campaign, build, to: folder } = options;
  if (ref === undefined) {
    if (name !== undefined) throw new Error('Name the link too: --ref clinic-7.');
    return listLinks(print);
  }
  const site = readBuiltSite(build);
  if (isLocal(site))
    process.stderr.write(
      `${site.siteUrl} is this machine, which no visitor can reach. For a link to give away, set siteUrl in site.json and build again.\n`,
    );
  // Before the files, so that nothing is made without a database.
  if (name !== undefined) await withDatabase((db) => nameLink(db, ref, name));
  const made = { site, ref, language, campaign };
  const url = urlOf(made);
  mkdirSync(folder, { recursive: true });
  const leafletFile = join(folder, `link-${ref}.${language === 'en' ? '' : `${language}.`}html`);
  const codeFile = join(folder, `link-${ref}.svg`);
  writeFileSync(leafletFile, printLeaflet(made, leafletStyle(build)));
  writeFileSync(codeFile, qrCode(url));
  print(`${url}

${leafletFile}
  the leaflet, one page: open it and print it on A4 or US Letter
${codeFile}
  the QR code, for printing in any size
`);
}

async function listLinks(print: (text: string) => void): Promise<void> {
  const links = await withDatabase(readLinks);
  for (const { ref, name } of links) print(`${ref}  ${name}\n`);
  print(`Links with a name: ${links.length}\n`);
}
