/** `site link`: the short link of a clinic, its QR code, a leaflet to print, and its name. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { correction, generate } from 'lean-qr';
import { toSvgSource } from 'lean-qr/extras/svg';
import { type Language, pathIn } from '#contract/language.ts';
import { isLocal, readBuiltSite } from '../built-site.ts';
import { nameLink, readLinks } from '../links/known-links.ts';
import { LINK_PATH } from '../links/links.ts';
import { escapeHtml } from '../text/safe-text.ts';
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

/** Modules of white around the code, which ISO/IEC 18004 asks for. */
const QUIET_ZONE = 4;
/** Characters above which the address is set smaller, so that it stays on one page. */
const LONG_ADDRESS = 50;

export async function link(options: LinkOptions, print: (text: string) => void): Promise<void> {
  const { ref, name, language, campaign } = options;
  if (ref === undefined) {
    if (name !== undefined) throw new Error('Name the link too: --ref clinic-7.');
    return listLinks(print);
  }
  const site = readBuiltSite(options.build);
  if (isLocal(site))
    process.stderr.write(
      `${site.siteUrl} is this machine, which no visitor can reach. For a link to give away, set siteUrl in site.json and build again.\n`,
    );
  // Before the files, so that nothing is made without a database.
  if (name !== undefined) await withDatabase((db) => nameLink(db, ref, name));
  const path = pathIn(language, `${LINK_PATH}/${ref}`);
  const url = `${site.siteUrl}${path}${campaign.size > 0 ? `?${campaign}` : ''}`;
  // Level Q: a quarter of the code may be dirty or torn.
  const code = generate(url, { minCorrectionLevel: correction.Q });
  const svg = toSvgSource(code, { on: '#000', off: '#fff', pad: QUIET_ZONE });
  // The host and the path are apart, because a line may end between them.
  const host = site.siteUrl.replace(/^https:\/\//, '');
  const template = readFileSync(
    join(options.build, `${pathIn(language, '/leaflet')}.html`),
    'utf8',
  );
  const leaflet = fill(template, {
    CODE: svg,
    NAME: escapeHtml(name ?? ref),
    URL: escapeHtml(url),
    SHORT_URL: `${site.siteUrl}${path}`,
    HOST: host,
    PATH: path,
    LENGTH: host.length + path.length > LONG_ADDRESS ? 'long' : 'short',
  });
  const { to: folder } = options;
  mkdirSync(folder, { recursive: true });
  const leafletFile = join(folder, `link-${ref}.${language === 'en' ? '' : `${language}.`}html`);
  const codeFile = join(folder, `link-${ref}.svg`);
  writeFileSync(leafletFile, leaflet);
  writeFileSync(codeFile, svg);
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

/** Fills in the prerendered leaflet (pages/leaflet). */
const fill = (template: string, texts: Record<string, string>): string =>
  template.replace(
    /LEAFLET_(CODE|HOST|LENGTH|NAME|PATH|SHORT_URL|URL)/g,
    (_, place: string) => texts[place] ?? '',
  );
