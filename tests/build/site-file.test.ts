/**
 * site.json: what it may contain, what follows from it, and what an operator reads about a fault in
 * it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtSiteSchema } from '#contract/built-site.schema.ts';
import { readSiteConfig } from '#site.config.ts';
import { PARTNER_LINKS, siteFile, writeSiteFile } from '../helpers/run/site-file.ts';

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

test('the project’s own file has every key', () => {
  const { privacyUrl, termsUrl, ...others } = JSON.parse(readFileSync('site.json', 'utf8'));
  const { signUpUrl, phoneUrl, ...site } = readSiteConfig();
  expect([privacyUrl, termsUrl]).toEqual([null, null]);
  expect({ ...others, privacyUrl: site.privacyUrl, termsUrl: site.termsUrl }).toEqual(site);
});

test('the last build lists the example’s values, of which `site check` and a server’s start warn', () => {
  const file = join(process.env.DIST_DIR ?? 'dist', 'site.json');
  expect(builtSiteSchema.parse(JSON.parse(readFileSync(file, 'utf8')))).toMatchObject({
    exampleKeys: [
      'siteUrl',
      'productName',
      'partnerName',
      'operator',
      'operatorAddress',
      'contactEmail',
      'phone',
      'invitationCode',
    ],
    exampleNames: ['Larkspur Road Fund', 'Summit Road Research Ethics Board', 'Elena Marchetti'],
  });
});

test('docs/go-live.md explains every key', () => {
  const keys = Object.keys(JSON.parse(readFileSync('site.json', 'utf8')));
  const [, chapter = ''] = readFileSync('docs/go-live.md', 'utf8').split('## The file');
  const rows = [...chapter.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, first = '']) =>
    first.split(', '),
  );
  expect(rows).toEqual(keys.map((key) => `\`${key}\``));
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

test.each([
  ['is missing', join(process.cwd(), 'no-such.json'), /FILE.*is not there/s],
  ['is a folder', process.cwd(), /FILE.*cannot be read: .*EISDIR/s],
  ['is not an object', writeSiteFile('[]'), /FILE:\n {2}must be an object/],
])('a file that %s is named', (_, file, fault) => {
  expect(faultOf(file)).toMatch(fault);
});

test.each([
  ['{\n  "a": 1,\n  "b": tru,\n  "c": 2\n}', '"b": tru,'],
  ['{\n  "a": {\n    "b": 1,\n  }\n}', 'line 4 '],
  ['{\n  "a": "x,\n  "b": 1\n}', 'line 2 '],
  ['', 'end of JSON'],
])('%j is no JSON: the message names the place', (text, place) => {
  const fault = faultOf(writeSiteFile(text));
  expect(fault).toContain('this is not JSON. ');
  expect(fault).toContain(place);
});

test('names every fault at once', () => {
  const file = siteFile({
    siteUrl: 'https://site.example/path',
    productName: 'The Long Road',
    partnerName: ' ',
    portalHost: 'portal.example:99999',
    termsUrl: 'http://portal.example/terms',
    operatorAddress: undefined,
    contactEmail: 'hello',
    phone: 'call us',
    invitationCode: 'two words',
    registerForm: 'on',
    posthogKey: 'secret',
    posthogHost: 'ftp://posthog.example',
    ipLookupUrl: '',
    logIp: 'some',
    referrerDetail: true,
    clickRetentionDays: 8,
    registrationRetentionDays: -1,
    weeklyClicks: 0,
    timeZone: 'Chicago',
    portalhosd: 'X',
    timeezone: 'UTC',
  });
  expect(faultOf(file)).toMatchInlineSnapshot(`
    "The site's settings are not valid.
    FILE:
      siteUrl must be an origin like "https://example.org"
      productName must not begin with "The", because the pages write it
      partnerName must not be empty
      portalHost must be a host name like "portal.example", without https://
      termsUrl must be an https:// URL
      operatorAddress is missing
      contactEmail must be an e-mail address
      phone must be a telephone number like +1 555 010 0199
      invitationCode must be 1 to 64 letters, digits, - or _
      registerForm must be true or false
      posthogKey must be a PostHog project key, "phc_…"
      posthogHost must be a URL like "https://eu.i.posthog.com"
      ipLookupUrl must be an http(s) URL, or null
      logIp must be "full", "truncated" or "none"
      referrerDetail must be "class", "domain" or "none"
      clickRetentionDays must be 0, or a whole number from 9 to 36500, without quotes
      registrationRetentionDays must be a whole number from 0 to 36500, without quotes
      weeklyClicks must be a whole number from 1 on, without quotes, or null
      timeZone must be a time zone like "America/Chicago" or "UTC"
      portalhosd is not a key. Is portalHost meant?
      timeezone is not a key. Is timeZone meant?"
  `);
});
