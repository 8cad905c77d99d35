/** `clicks link`: the short link of a clinic, its QR code and a leaflet to print. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { LANGUAGES, type Language, pathIn } from '#contract/language.ts';
import { nearestWord } from '#contract/nearest-word.ts';
import { CAMPAIGN_PARAMETERS, CAMPAIGN_VALUE } from '#contract/visit.ts';
import { readBuiltSite } from '../server/built-site.ts';
import { isThisMachine } from '../server/check-privacy.ts';
import { type CodeEntry, codeSchema, readCampaigns } from '../server/links/campaigns.ts';
import { LINK_PATH } from '../server/links/landing-url.ts';
import { givenPath } from './given-path.ts';
import { fillLeaflet } from './leaflet.ts';
import { makeQrCode } from './qr-code.ts';
import { UsageError } from './usage-error.ts';
import { warn } from './warn.ts';

/** Command-line options: `--utm-source` for `utm_source`. */
export const UTM_OPTIONS = CAMPAIGN_PARAMETERS.map((name) => name.replace('_', '-'));

interface Settings {
  distDir: string;
  campaignsFile: string | null;
}

interface Options {
  ref?: string | undefined;
  /** Language of the leaflet; English if there is none. */
  language?: string | undefined;
  /** Folder for the files. */
  to?: string | undefined;
  [utmOption: string]: unknown;
}

/**
 * @throws UsageError for a code, language or parameter of a wrong form; Error for a code that the table does not have, because a wrong
 * code on a thousand leaflets cannot be corrected
 */
export function link(
  { distDir, campaignsFile }: Settings,
  options: Options,
  print: (text: string) => void,
): void {
  const code = readCode(options.ref);
  const language = readLanguage(options.language);
  const query = readUtm(options);
  const campaign = campaignsFile === null ? null : findCampaign(code, campaignsFile);
  const site = readBuiltSite(distDir);
  const origin = originOf(site);
  const shortUrl = `${origin}${pathIn(language, LINK_PATH)}${campaign?.code ?? code}`;
  const url = query === '' ? shortUrl : `${shortUrl}?${query}`;
  const addresses = { url, shortUrl, origin };
  const files = writeFiles(
    givenPath(options.to ?? '.'),
    campaign?.code ?? code,
    addresses,
    distDir,
    language,
  );
  print(`${url}\n\n${describe(campaign)}\n`);
  for (const [file, use] of files) print(`${file}\n  ${use}\n`);
}

function readCode(ref: string | undefined): string {
  if (ref === undefined) throw new UsageError('--ref must be a code, such as clinic-7');
  const parsed = codeSchema.safeParse(ref);
  if (parsed.success) return parsed.data;
  throw new UsageError(`--ref ${parsed.error.issues[0]?.message}, not "${ref}"`);
}

function readLanguage(given: string = 'en'): Language {
  const language = LANGUAGES.find((each) => each === given);
  if (language) return language;
  throw new UsageError(`--language must be ${LANGUAGES.join(' or ')}, not "${given}"`);
}

function readUtm(options: Options): string {
  const params = new URLSearchParams();
  for (const [i, name] of CAMPAIGN_PARAMETERS.entries()) {
    const option = UTM_OPTIONS[i] ?? '';
    const value = options[option];
    if (typeof value !== 'string') continue;
    if (!CAMPAIGN_VALUE.test(value)) {
      const form = '1 to 64 letters, digits, ".", "_", "~" or "-"';
      throw new UsageError(`--${option} must be ${form}, not "${value}"`);
    }
    params.set(name, value);
  }
  return params.toString();
}

function findCampaign(code: string, file: string): CodeEntry {
  const campaigns = readCampaigns(file);
  const found = campaigns.find((one) => one.code.toLowerCase() === code.toLowerCase());
  if (found) return found;
  const nearest = nearestWord(
    code,
    campaigns.map((one) => one.code),
  );
  const question = nearest === null ? '' : ` Did you mean ${nearest}?`;
  throw new Error(
    `${code} is not in ${file}.${question} Add it there, so that reports can name it.`,
  );
}

/** The server's origin, which answers short links, also if the pages are on another one. */
function originOf(site: BuiltSite): string {
  const origin = site.apiOrigin ?? site.siteUrl;
  if (isThisMachine(origin)) {
    warn(
      `${origin} is this machine, which no visitor can reach. For a link to give away, build the page with VITE_SITE_URL.`,
    );
  }
  return origin;
}

function writeFiles(
  folder: string,
  code: string,
  { url, shortUrl, origin }: Record<'url' | 'shortUrl' | 'origin', string>,
  distDir: string,
  language: Language,
): [file: string, use: string][] {
  const qr = makeQrCode(url);
  const leaflet = fillLeaflet(distDir, language, {
    LEAFLET_NAME: code,
    LEAFLET_URL: url,
    LEAFLET_SHORT_URL: shortUrl,
    LEAFLET_HOST: origin.replace(/^https:\/\//, ''),
    LEAFLET_PATH: shortUrl.slice(origin.length),
    LEAFLET_CODE: qr.svg,
  });
  mkdirSync(folder, { recursive: true });
  const leafletEnding = language === 'en' ? 'html' : `${language}.html`;
  const write = (ending: string, content: string | Uint8Array) => {
    const file = join(folder, `link-${code}.${ending}`);
    writeFileSync(file, content);
    return file;
  };
  return [
    [
      write(leafletEnding, leaflet),
      'the leaflet, one page: open it and print it on A4 or US Letter',
    ],
    [write('svg', qr.svg), 'the QR code, for printing in any size'],
    [write('png', qr.png), 'the QR code, for documents and mails'],
  ];
}

function describe(campaign: CodeEntry | null): string {
  if (campaign) return `${campaign.label} (${campaign.channel}, since ${campaign.since})`;
  return 'No CAMPAIGNS_FILE is set, so reports have no label for this code.';
}
