/** site.json: what it may contain, what follows from it, and what an operator reads about a fault in it. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

test('docs/go-live.md explains every key', () => {
  const keys = Object.keys(JSON.parse(readFileSync('site.json', 'utf8')));
  const [, chapter = ''] = readFileSync('docs/go-live.md', 'utf8').split('## The file');
  const rows = [...chapter.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, first = '']) =>
    first.split(', '),
  );
  expect(rows).toEqual(keys.map((key) => `\`${key}\``));
});

test('a file without a key has the default of the example', () => {
  const { productName, partnerName, operator, operatorAddress, contactEmail, phone } =
    readSiteConfig();
  const names = { productName, partnerName, operator, operatorAddress, contactEmail, phone };
  expect(readSiteConfig(writeSiteFile(JSON.stringify(names)))).toEqual(readSiteConfig());
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

test('a press of the telephone number dials it', () => {
  expect(read({ phone: '+1 (555) 010-0199' }).phoneUrl).toBe('tel:+15550100199');
});

test('PostHog’s host is an origin', () => {
  const { posthogHost } = read({ posthogHost: 'https://eu.i.posthog.com/' });
  expect(posthogHost).toBe('https://eu.i.posthog.com');
});

test.each([
  ['is missing', join(process.cwd(), 'no-such.json'), /FILE.*is not there/s],
  ['is a folder', process.cwd(), /FILE.*cannot be read: .*EISDIR/s],
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

test.each([
  [{ productname: 'X' }, 'productname is not a key. Is productName meant?'],
  [{ operatorAdress: 'X' }, 'operatorAdress is not a key. Is operatorAddress meant?'],
  [{ facts: {} }, 'facts is not a key. The keys: siteUrl, productName, partnerName, '],
])('%j: an unknown key is a fault that says which one is meant', (changes, fault) => {
  expect(faultOf(siteFile(changes))).toContain(`  ${fault}`);
});

test('a product’s name has no article, because the pages write it', () => {
  expect(faultOf(siteFile({ productName: 'The Long Road' }))).toContain(
    '\n  productName must not begin with "The", because the pages write it',
  );
  expect(read({ productName: 'Theodore Drive' }).productName).toBe('Theodore Drive');
});

test('names every fault at once', () => {
  const file = siteFile({
    siteUrl: 'https://site.example/path',
    productName: undefined,
    partnerName: ' ',
    portalHost: 'https://portal.example',
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
    timeZone: 'Chicago',
    portalhost: 'X',
  });
  expect(faultOf(file)).toMatchInlineSnapshot(`
    "The site's settings are not valid.
    FILE:
      siteUrl must be an origin like "https://example.org"
      productName is missing
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
      timeZone must be a time zone like "America/Chicago" or "UTC"
      portalhost is not a key. Is portalHost meant?"
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
