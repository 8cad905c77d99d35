/** site.json: what it may contain, what follows from it, and what an operator reads about a fault in it. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSiteConfig } from '#site.config.ts';
import { PARTNER_LINKS } from '../helpers/run/all-facts.ts';
import { siteFile, writeSiteFile } from '../helpers/run/site-file.ts';

const read = (changes: Parameters<typeof siteFile>[0]) => readSiteConfig(siteFile(changes));

/** The message of the fault, without the file's folder. */
function faultOf(file: string): string {
  try {
    readSiteConfig(file);
  } catch (cause) {
    return (cause as Error).message.replaceAll(file, 'FILE');
  }
  return 'no fault';
}

test('the project’s own file has every key, and an example of each fact but those that need proof', () => {
  const { facts, privacyUrl, termsUrl, ...others } = JSON.parse(readFileSync('site.json', 'utf8'));
  const { facts: known, signUpUrl: _, ...site } = readSiteConfig();
  expect([privacyUrl, termsUrl]).toEqual([null, null]);
  expect({ ...others, privacyUrl: site.privacyUrl, termsUrl: site.termsUrl }).toEqual(site);
  expect(Object.keys(facts)).toEqual(Object.keys(known));
  const open = Object.entries(known).filter(([, fact]) => fact === null);
  expect(open.map(([name]) => name)).toEqual([
    'law',
    'lawConfirmedBy',
    'forecastSource',
    'forecastUrl',
    'clinicsUrl',
    'translationReviewer',
  ]);
});

test('docs/go-live.md explains every key', () => {
  const { facts, ...others } = JSON.parse(readFileSync('site.json', 'utf8'));
  const keys = [...Object.keys(others), ...Object.keys(facts).map((name) => `facts.${name}`)];
  const [, chapter = ''] = readFileSync('docs/go-live.md', 'utf8').split('## The file');
  const rows = [...chapter.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, first = '']) =>
    first.split(', '),
  );
  expect(rows).toEqual(keys.map((key) => `\`${key}\``));
});

test('a file without a key has the default of the example', () => {
  const { productName, partnerName, contactEmail } = readSiteConfig();
  const short = readSiteConfig(
    writeSiteFile(JSON.stringify({ productName, partnerName, contactEmail })),
  );
  expect({ ...short, facts: null }).toEqual({ ...readSiteConfig(), facts: null });
});

test('a portal gives the link to sign up, and needs the addresses of its policy and its terms', () => {
  expect(readSiteConfig()).toMatchObject({
    signUpUrl: '/create-account?invitation_code=SMADRIVE',
    privacyUrl: '/create-account?page=privacy',
    termsUrl: '/create-account?page=terms',
  });
  const portal = { portalHost: 'portal.road.example:8443', invitationCode: 'ROAD' };
  expect(read({ ...portal, ...PARTNER_LINKS })).toMatchObject({
    signUpUrl: 'https://portal.road.example:8443/create-account?invitation_code=ROAD',
    ...PARTNER_LINKS,
  });
  const fault = (key: string) => `\n  ${key} must be set, because portalHost is set`;
  expect(faultOf(siteFile(portal))).toContain(fault('privacyUrl') + fault('termsUrl'));
});

test('the browser does not ask for an address that the server does not keep', () => {
  expect(read({ logIp: 'none' }).ipLookupUrl).toBeNull();
  expect(read({ logIp: 'truncated' }).ipLookupUrl).not.toBeNull();
});

test('PostHog’s host is an origin', () => {
  const { posthogHost } = read({ posthogHost: 'https://eu.i.posthog.com/' });
  expect(posthogHost).toBe('https://eu.i.posthog.com');
});

test.each([
  ['is missing', join(process.cwd(), 'no-such.json'), /FILE.*is not there/s],
  ['is a folder', process.cwd(), /FILE.*cannot be read: .*EISDIR/s],
  ['has more than 64 KB', siteFile({ productName: 'a'.repeat(65_536) }), /FILE.*64 KB/s],
  ['is not an object', writeSiteFile('[]'), /FILE:\n {2}must be an object/],
])('a file that %s is named', (_, file, fault) => {
  expect(faultOf(file)).toMatch(fault);
});

describe('JSON', () => {
  test.each([
    ['a wrong word', '{\n  "a": 1,\n  "b": tru,\n  "c": 2\n}', 3],
    ['a missing comma', '{\n  "a": 1\n  "b": 2\n}', 3],
    ['a comma before the end', '{\n  "a": {\n    "b": 1,\n  }\n}', 4],
    ['a text without its end', '{\n  "a": "x,\n  "b": 1\n}', 2],
    ['no end', '{\n  "a": 1\n', 3],
    ['a second end', '{\n  "a": 1\n}}\n', 3],
    ['nothing', '', 1],
  ])('with %s: the message names the line', (_, text, line) => {
    const fault = faultOf(writeSiteFile(text));
    expect(fault).toMatch(new RegExp(`FILE.* line ${line}: `, 's'));
    expect(fault).toContain('JSON');
  });

  test('may begin with a mark of its encoding', () => {
    const text = `\uFEFF${readFileSync('site.json', 'utf8')}`;
    expect(readSiteConfig(writeSiteFile(text))).toEqual(readSiteConfig());
  });
});

describe('a fact that pages say as words', () => {
  test('has a text per language, and may lack one', () => {
    const funder = { en: ' the Road Fund ', es: 'el Fondo del Camino' };
    const { facts } = read({ facts: { funder, oversight: { en: 'Board 7' } } });
    expect(facts.funder).toEqual({ en: 'the Road Fund', es: 'el Fondo del Camino' });
    expect(facts.oversight).toEqual({ en: 'Board 7', es: null });
  });

  test('without any text is not set', () => {
    const { facts } = read({ facts: { funder: {}, law: { en: null, es: null }, reviewer: null } });
    expect(facts).toMatchObject({ funder: null, law: null, reviewer: null });
  });
});

test.each([
  [{ facts: { fundr: null } }, 'facts.fundr is not a key. Is facts.funder meant?'],
  [{ productname: 'X' }, 'productname is not a key. Is productName meant?'],
  [{ phone: '+1 555' }, 'phone is not a key. Is facts.phone meant?'],
  [{ facts: { termsUrl: 'x' } }, 'facts.termsUrl is not a key. Is termsUrl meant?'],
  [
    { facts: { funder: { en: 'A', ES: 'B' } } },
    'facts.funder.ES is not a key. Is facts.funder.es meant?',
  ],
  [{ facts: { funder: { fr: 'A' } } }, 'facts.funder.fr is not a key. The keys there: en, es'],
  [{ colour: 'red' }, 'colour is not a key. The keys there: siteUrl, productName, partnerName, '],
])('%j: an unknown key is a fault that says which one is meant', (changes, fault) => {
  expect(faultOf(siteFile(changes))).toContain(`  ${fault}`);
});

test('names every fault at once', () => {
  const file = siteFile({
    siteUrl: 'https://site.example/path',
    productName: undefined,
    partnerName: ' ',
    portalHost: 'https://portal.example',
    termsUrl: 'http://portal.example/terms',
    contactEmail: 'hello',
    invitationCode: 'two words',
    registerForm: 'on',
    posthogKey: 'secret',
    posthogHost: 'ftp://posthog.example',
    ipLookupUrl: '',
    logIp: 'some',
    referrerDetail: true,
    clickRetentionDays: 8,
    registrationRetentionDays: -1,
    timeZone: 'Chicago',
    facts: {
      fundr: 'X',
      funder: 'the Road Fund',
      phone: 'call us',
      minAge: '18',
      guardians: 'on',
      country: 'usa',
      cost: 0,
      signUpMinutes: 0.5,
      clinicsUrl: 'portal.example',
      reviewedOn: '31.1.2026',
      law: { en: 7 },
    },
  });
  expect(faultOf(file)).toMatchInlineSnapshot(`
    "The site's settings are not valid.
    FILE:
      siteUrl must be an origin like "https://example.org"
      productName is missing
      partnerName must not be empty
      portalHost must be a host name like "portal.example", without https://
      termsUrl must be an https:// URL
      contactEmail must be an e-mail address
      invitationCode must be 1 to 64 letters, digits, - or _
      registerForm must be true or false
      posthogKey must be a PostHog project key, "phc_…"
      posthogHost must be a URL like "https://eu.i.posthog.com"
      ipLookupUrl must be an http(s) URL, or null
      logIp must be "full", "truncated" or "none"
      referrerDetail must be "class", "domain" or "none"
      clickRetentionDays must be 0, or a whole number from 9 to 36500, without quotes
      registrationRetentionDays must be a whole number from 0 to 36500, without quotes
      timeZone must be a time zone like "America/Chicago" or "UTC"
      facts.funder must be texts by language: { "en": "…", "es": "…" }
      facts.phone must be a telephone number like +1 555 010 0199
      facts.minAge must be a whole number from 0 to 99, without quotes
      facts.guardians must be true, false or null
      facts.country must be two letters like "US"
      facts.cost must be "free" or null
      facts.signUpMinutes must be a whole number from 1 to 240, without quotes
      facts.law.en must be a text in quotes
      facts.clinicsUrl must be an https:// URL
      facts.reviewedOn must be a day like "2026-01-31"
      facts.fundr is not a key. Is facts.funder meant?"
  `);
});

test('an old variable stops the build and names its key, because it may be about privacy', () => {
  const out = join(mkdtempSync('node_modules/.cache/no-build-'), 'dist');
  const env = { ...process.env, LOG_IP: 'none', VITE_PORTAL_HOST: 'portal.example', CI: ' ' };
  const { status, stderr } = spawnSync(process.execPath, ['build/build.ts', '--out', out], {
    env: { ...env, VITE_SITE_URL: '' },
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toBe(
    'LOG_IP is now logIp in site.json.\nVITE_PORTAL_HOST is now portalHost in site.json.\n',
  );
  expect(existsSync(out)).toBe(false);
});
