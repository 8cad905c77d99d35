/** `site link`: the short link of a clinic, its QR code, a leaflet to print, and its name. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { correction, generate } from 'lean-qr';
import { toSvgSource } from 'lean-qr/extras/svg';
import { type Language, pathIn } from '#contract/language.ts';
import { CAMPAIGN_PARAMETERS } from '#contract/visit.ts';
import { readBuiltSite } from '../built-site.ts';
import { nameLink, readLinks } from '../links/known-links.ts';
import { LINK_PATH } from '../links/landing-url.ts';
import { givenPath } from './given-path.ts';
import { fillLeaflet } from './leaflet.ts';
import { withDatabase } from './with-database.ts';

export interface LinkOptions {
  /** Without it, the command lists the links that have a name. */
  ref?: string;
  name?: string;
  /** Of the leaflet, and of the page that the link opens. */
  language: Language;
  /** Folder for the files. */
  to: string;
  /** Folder of the build. */
  build: string;
  /** `utmSource`, …: of the form that the page reads. */
  [utmOption: string]: string | undefined;
}

/** Modules of white around the code, which ISO/IEC 18004 asks for. */
const QUIET_ZONE = 4;
/** Hosts that no visitor can reach. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

export async function link(options: LinkOptions, print: (text: string) => void): Promise<void> {
  const { ref, name } = options;
  if (ref === undefined) {
    if (name !== undefined) throw new Error('Name the link too: --ref clinic-7.');
    return listLinks(print);
  }
  const { siteUrl } = readBuiltSite(options.build);
  if (THIS_MACHINE.includes(new URL(siteUrl).hostname))
    process.stderr.write(
      `${siteUrl} is this machine, which no visitor can reach. For a link to give away, set siteUrl in site.json and build again.\n`,
    );
  // Before the files, so that nothing is made without a database.
  if (name !== undefined) await withDatabase((db) => db.transaction(nameLink, ref, name));
  const files = writeFiles(ref, siteUrl, options);
  print(`${urlOf(ref, siteUrl, options)}\n\n`);
  for (const [file, use] of files) print(`${file}\n  ${use}\n`);
}

async function listLinks(print: (text: string) => void): Promise<void> {
  const links = await withDatabase(readLinks);
  for (const { ref, name } of links) print(`${ref}  ${name}\n`);
  print(`Links with a name: ${links.length}\n`);
}

function urlOf(ref: string, siteUrl: string, options: LinkOptions): string {
  const params = new URLSearchParams();
  for (const parameter of CAMPAIGN_PARAMETERS) {
    const value = options[parameter.replace(/_(.)/, (_, letter) => letter.toUpperCase())];
    if (value !== undefined) params.set(parameter, value);
  }
  const query = params.size > 0 ? `?${params}` : '';
  return `${siteUrl}${pathIn(options.language, LINK_PATH)}${ref}${query}`;
}

function writeFiles(
  ref: string,
  siteUrl: string,
  options: LinkOptions,
): [file: string, use: string][] {
  const url = urlOf(ref, siteUrl, options);
  const [shortUrl = url] = url.split('?');
  // Level Q: a quarter of the code may be dirty or torn.
  const code = generate(url, { minCorrectionLevel: correction.Q });
  const svg = toSvgSource(code, { on: '#000', off: '#fff', pad: QUIET_ZONE });
  const leaflet = fillLeaflet(options.build, options.language, {
    LEAFLET_NAME: options.name ?? ref,
    LEAFLET_URL: url,
    LEAFLET_SHORT_URL: shortUrl,
    LEAFLET_HOST: siteUrl.replace(/^https:\/\//, ''),
    LEAFLET_PATH: shortUrl.slice(siteUrl.length),
    LEAFLET_CODE: svg,
  });
  const folder = givenPath(options.to);
  mkdirSync(folder, { recursive: true });
  const write = (ending: string, content: string) => {
    const file = join(folder, `link-${ref}.${ending}`);
    writeFileSync(file, content);
    return file;
  };
  const leafletEnding = options.language === 'en' ? 'html' : `${options.language}.html`;
  return [
    [
      write(leafletEnding, leaflet),
      'the leaflet, one page: open it and print it on A4 or US Letter',
    ],
    [write('svg', svg), 'the QR code, for printing in any size'],
  ];
}
