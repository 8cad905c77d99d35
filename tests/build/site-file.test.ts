/** The file with the page's facts: what it may contain, and what an operator reads about a fault in it. */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readSiteConfig } from '#site.config.ts';
import { siteFile, writeSiteFile } from '../helpers/run/site-file.ts';

/** The message of the fault, without the file's folder. */
function faultOf(env: Record<string, string>): string {
  try {
    readSiteConfig(env);
  } catch (cause) {
    const { message } = cause as Error;
    return env.SITE_FILE ? message.replaceAll(env.SITE_FILE, 'FILE') : message;
  }
  return 'no fault';
}

test('the project’s own file has every key, and an example of each fact but those that need proof', () => {
  const { facts, privacyUrl, termsUrl, ...others } = JSON.parse(readFileSync('site.json', 'utf8'));
  const { facts: read, ...site } = readSiteConfig({});
  expect([privacyUrl, termsUrl]).toEqual([null, null]);
  expect(site).toMatchObject(others);
  expect(Object.keys(facts)).toEqual(Object.keys(read));
  const open = Object.entries(read).filter(([, fact]) => fact === null);
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

describe('SITE_FILE', () => {
  const env = siteFile({ productName: 'Another Drive', facts: { minAge: 18, guardians: false } });

  test.each([
    ['an absolute path', env.SITE_FILE],
    ['a path from the working directory', relative(process.cwd(), env.SITE_FILE)],
  ])('names another file by %s', (_, SITE_FILE) => {
    const { productName, facts } = readSiteConfig({ SITE_FILE });
    expect(productName).toBe('Another Drive');
    expect(facts).toMatchObject({ minAge: 18, guardians: false, phone: '+1 555 010 0199' });
  });

  test('empty means the project’s own file', () => {
    expect(readSiteConfig({ SITE_FILE: ' ' })).toEqual(readSiteConfig({}));
  });

  test('a file that is not there is named, with the variable', () => {
    const SITE_FILE = join(process.cwd(), 'no-such.json');
    expect(faultOf({ SITE_FILE })).toMatch(/FILE.*is not there.*SITE_FILE/s);
  });

  test('a folder cannot be read', () => {
    expect(faultOf({ SITE_FILE: process.cwd() })).toMatch(/FILE.*cannot be read: .*EISDIR/s);
  });

  test('a file of more than 64 KB is not read', () => {
    expect(faultOf(siteFile({ productName: 'a'.repeat(65_536) }))).toMatch(/FILE.*64 KB/s);
  });
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
    expect(readSiteConfig(writeSiteFile(text))).toEqual(readSiteConfig({}));
  });

  test('that is no object says so', () => {
    expect(faultOf(writeSiteFile('[]'))).toMatch(/FILE:\n {2}must be an object/);
  });
});

describe('a fact that pages say as words', () => {
  test('has a text per language, and may lack one', () => {
    const funder = { en: ' the Road Fund ', es: 'el Fondo del Camino' };
    const { facts } = readSiteConfig(siteFile({ facts: { funder, oversight: { en: 'Board 7' } } }));
    expect(facts.funder).toEqual({ en: 'the Road Fund', es: 'el Fondo del Camino' });
    expect(facts.oversight).toEqual({ en: 'Board 7', es: null });
  });

  test('without any text is not set', () => {
    const env = siteFile({ facts: { funder: {}, law: { en: null, es: null }, reviewer: null } });
    expect(readSiteConfig(env).facts).toMatchObject({ funder: null, law: null, reviewer: null });
  });

  test('is not one text, because a page could not tell its language', () => {
    expect(faultOf(siteFile({ facts: { funder: 'the Road Fund' } }))).toContain(
      '  facts.funder must be texts by language: { "en": "…", "es": "…" }',
    );
  });
});

describe('a key that does not exist', () => {
  test.each([
    [{ facts: { fundr: null } }, 'facts.fundr is not a key. Is facts.funder meant?'],
    [{ facts: { MinAge: 18 } }, 'facts.MinAge is not a key. Is facts.minAge meant?'],
    [{ productname: 'X' }, 'productname is not a key. Is productName meant?'],
    [{ phone: '+1 555' }, 'phone is not a key. Is facts.phone meant?'],
    [{ facts: { termsUrl: 'x' } }, 'facts.termsUrl is not a key. Is termsUrl meant?'],
    [
      { facts: { funder: { en: 'A', ES: 'B' } } },
      'facts.funder.ES is not a key. Is facts.funder.es meant?',
    ],
    [{ facts: { funder: { fr: 'A' } } }, 'facts.funder.fr is not a key. The keys there: en, es'],
    [{ colour: 'red' }, 'colour is not a key. The keys there: productName, partnerName, '],
  ])('%j is a fault that says which one is meant', (changes, fault) => {
    expect(faultOf(siteFile(changes))).toContain(`  ${fault}`);
  });
});

test('names every fault at once, in the file and in the variables', () => {
  const { SITE_FILE } = siteFile({
    partnerName: ' ',
    contactEmail: 'hello',
    termsUrl: 'http://portal.example/terms',
    productName: undefined,
    facts: {
      fundr: 'X',
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
  expect(faultOf({ SITE_FILE, VITE_POSTHOG_KEY: 'secret' })).toMatchInlineSnapshot(`
    "The site's configuration is not valid.
    The variables:
      VITE_POSTHOG_KEY must be a PostHog project key, phc_…
    FILE:
      productName is missing
      partnerName must not be empty
      termsUrl must be an https:// URL
      contactEmail must be an e-mail address
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

describe('a variable that has become a key', () => {
  test.each([
    ['VITE_PRODUCT_NAME', 'productName'],
    ['VITE_CONTACT_EMAIL', 'contactEmail'],
    ['VITE_MIN_AGE', 'facts.minAge'],
    ['VITE_FUNDER', 'facts.funder'],
    ['VITE_LAW_CONFIRMED_BY', 'facts.lawConfirmedBy'],
  ])('%s stops the build and names %s', (name, key) => {
    expect(faultOf({ [name]: 'x' })).toContain(
      `  ${name} is not a variable of this project. Write ${key} in the file that SITE_FILE names, now ${join(process.cwd(), 'site.json')}`,
    );
  });

  test('is no fault while it is empty, as in a copy of an old .env.example', () => {
    expect(readSiteConfig({ VITE_FUNDER: '', VITE_COST: ' ' })).toEqual(readSiteConfig({}));
  });
});
