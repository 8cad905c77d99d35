/** `npm run link`: the short link of a clinic, its QR code and a leaflet to print. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { LANGUAGES, type Language, pathIn } from '#contract/language.ts';
import { CAMPAIGN_PARAMETERS, CAMPAIGN_VALUE } from '#contract/visit.ts';
import { readBuiltSite } from '../server/built-site.ts';
import { LINK_PATH } from '../server/links/landing-url.ts';
import { givenPath } from './given-path.ts';
import { fillLeaflet } from './leaflet.ts';
import { makeQrCode } from './qr-code.ts';
import { print, runProgram } from './run-program.ts';
import { UsageError } from './usage-error.ts';

const HELP = `Usage: npm run -s link -- --ref CODE [options]

  --utm-source S --utm-medium M --utm-campaign C --utm-content C --utm-term T
  --language en|es    the language of the leaflet and its page
  --to FOLDER         where to write the files; the present folder if it is missing
  --build FOLDER      the folder of the build; dist if it is missing

Prints the short link of a clinic, and writes its QR code (SVG, PNG) and a leaflet to print.
`;

/** Command-line options: `--utm-source` for `utm_source`. */
const UTM_OPTIONS = CAMPAIGN_PARAMETERS.map((name) => name.replace('_', '-'));
const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  ref: { type: 'string' },
  language: { type: 'string' },
  to: { type: 'string' },
  build: { type: 'string' },
  ...Object.fromEntries(UTM_OPTIONS.map((name) => [name, { type: 'string' } as const])),
} as const;

interface Values {
  ref?: string | undefined;
  /** Language of the leaflet; English if there is none. */
  language?: string | undefined;
  /** Folder for the files. */
  to?: string | undefined;
  [utmOption: string]: unknown;
}

const MAX_CODE = 64;
/** Letters, digits and signs that a URL carries as they are. The last one is no punctuation, because messages end with it. */
const CODE = /^[a-z\d](?:[\w.~-]*[a-z\d])?$/i;
const CODE_ERROR = `must be 1 to ${MAX_CODE} letters, digits, ".", "_", "~" or "-", such as clinic-7, with a letter or digit at both ends`;
/** Hosts that no visitor can reach. */
const THIS_MACHINE = ['localhost', '127.0.0.1', '[::1]'];
const codeSchema = z.string().max(MAX_CODE, CODE_ERROR).regex(CODE, CODE_ERROR);

await runProgram(HELP, async () => {
  const { values } = parseArgs({ options: OPTIONS });
  if (values.help) return print(HELP);
  link(values.build ?? 'dist', values);
});

/** @throws UsageError for a code, language or parameter of a wrong form */
function link(distDir: string, values: Values): void {
  const code = readCode(values.ref);
  const language = readLanguage(values.language);
  const query = readUtm(values);
  const site = readBuiltSite(distDir);
  const origin = originOf(site);
  const shortUrl = `${origin}${pathIn(language, LINK_PATH)}${code}`;
  const url = query === '' ? shortUrl : `${shortUrl}?${query}`;
  const addresses = { url, shortUrl, origin };
  const files = writeFiles(givenPath(values.to ?? '.'), code, addresses, distDir, language);
  print(`${url}\n\n`);
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

function readUtm(values: Values): string {
  const params = new URLSearchParams();
  for (const [i, name] of CAMPAIGN_PARAMETERS.entries()) {
    const option = UTM_OPTIONS[i] ?? '';
    const value = values[option];
    if (typeof value !== 'string') continue;
    if (!CAMPAIGN_VALUE.test(value)) {
      const form = '1 to 64 letters, digits, ".", "_", "~" or "-"';
      throw new UsageError(`--${option} must be ${form}, not "${value}"`);
    }
    params.set(name, value);
  }
  return params.toString();
}

/** The site's origin, which visitors must be able to reach. */
function originOf({ siteUrl }: BuiltSite): string {
  if (THIS_MACHINE.includes(new URL(siteUrl).hostname)) {
    process.stderr.write(
      `${siteUrl} is this machine, which no visitor can reach. For a link to give away, set siteUrl in site.json and build again.\n`,
    );
  }
  return siteUrl;
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
