/** `npm run golive`, through the real command, on real builds. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FactsByLanguage, readSiteConfig } from '#site.config.ts';
import { goLive as report } from '../../build/go-live/report.ts';
import { ALL_FACTS } from '../helpers/run/all-facts.ts';
import { build } from '../helpers/run/build.ts';
import { siteFile } from '../helpers/run/site-file.ts';

/** Everything that an operator can set. */
const SET = siteFile({
  siteUrl: 'https://road.health',
  productName: 'The Long Road',
  partnerName: 'Harbor Records',
  portalHost: 'portal.harbor.health',
  privacyUrl: 'https://harbor.health/privacy',
  termsUrl: 'https://harbor.health/terms',
  contactEmail: 'hello@road.health',
  invitationCode: 'ROAD1',
  posthogKey: 'phc_test',
  ipLookupUrl: null,
  facts: { ...ALL_FACTS, phone: '+1 555 010 0144' },
});

function goLive(dist: string) {
  return spawnSync('npm', ['run', '-s', 'golive', '--', dist], { encoding: 'utf8' });
}

/** The items below a heading of the list. */
const itemsBelow = (text: string, heading: string): string[] => {
  const part = text.split('\n\n').find((each) => each.startsWith(heading)) ?? '';
  return part.split('\n  - ').slice(1);
};

describe('with the settings of the repository', () => {
  const { status, stdout } = goLive(process.env.DIST_DIR ?? 'dist');

  test('ends with 1, and says of each claim what to set and where it is made', () => {
    expect(status).toBe(1);
    expect(itemsBelow(stdout, 'Claims without a fact')).toEqual([
      expect.stringMatching(/compliant.*facts\.lawConfirmedBy in site\.json.*\n.*On \/, \/es\//),
      expect.stringMatching(/over 65 years.*facts\.forecastUrl.*\n.*On \/, \/es\//),
      expect.stringMatching(/operator who does not exist.*\n.*On \/, \/es\//),
      expect.stringMatching(/questions.*contactEmail.*\n.*\/help\//),
      expect.stringMatching(/portal.*portalHost.*\n.*On \/, /),
      expect.stringMatching(/privacy policy or the terms.*\n.*On \/, /),
    ]);
    expect(stdout.trimEnd()).toMatch(/NOT READY: 6 claims have no fact behind them\.$/);
  });

  test('lists each fact of site.json that is not set, with a reason', () => {
    const facts = itemsBelow(stdout, 'Facts that are not set');
    const { facts: inFile } = JSON.parse(readFileSync('site.json', 'utf8'));
    const names = Object.keys(inFile)
      .filter((name) => readSiteConfig().facts[name as keyof FactsByLanguage] === null)
      .map((name) => `facts.${name}`);
    expect(names.length).toBeGreaterThan(4);
    expect(facts.map((fact) => fact.split(':')[0])).toEqual(names);
    for (const fact of facts) expect(fact).toMatch(/\n {4}Why: .{10}/);
  });

  test('lists the values of the repository, the look-up, and the translation', () => {
    const { facts } = JSON.parse(readFileSync('site.json', 'utf8'));
    const { facts: read } = readSiteConfig();
    const set = Object.keys(facts).filter((name) => read[name as keyof FactsByLanguage] !== null);
    const keys = itemsBelow(stdout, 'Values of the repository').map((item) => item.split(': ')[0]);
    const names = ['siteUrl', 'productName', 'partnerName', 'contactEmail', 'invitationCode'];
    expect(keys.sort()).toEqual([...names, ...set.map((name) => `facts.${name}`)].sort());
    expect(itemsBelow(stdout, 'Another company')[0]).toMatch(/^ipLookupUrl is set: /);
    expect(stdout).toContain('translation to be reviewed by native speakers');
    expect(stdout).toContain('This is not legal advice');
  });
});

describe('with every fact set', () => {
  let dist: string;
  beforeAll(async () => {
    mkdirSync('node_modules/.cache', { recursive: true });
    // Vike builds only into folders inside the project.
    dist = mkdtempSync('node_modules/.cache/go-live-');
    await build(dist, SET);
  }, 120_000);
  afterAll(() => rmSync(dist, { recursive: true, force: true }));

  test('ends with 0, and leaves only what a lawyer, the partner and the operator must answer', () => {
    const { status, stdout } = goLive(dist);
    expect(stdout).toContain('No page makes a claim without a fact.');
    expect(status).toBe(0);
    const headings = stdout.split('\n\n').map((part) => part.split(' (')[0]);
    expect(headings.slice(1, -1)).toEqual([
      'Promises that the partner must confirm',
      'Promises that the operator must keep',
      'Laws of the US to go through with a lawyer',
    ]);
    // As the privacy page says them.
    expect(itemsBelow(stdout, 'Promises that the operator must keep')).toEqual([
      '"No advertiser gets anything from this site." On /help/privacy/',
      expect.stringContaining('We then erase'),
      '"We also ask PostHog to delete what it has of that visit." On /help/privacy/',
    ]);
  });
});

test('a law without the person who confirms it is reported, and so is the opposite', () => {
  const law = { en: 'HIPAA', es: 'HIPAA' };
  const settings = readSiteConfig(siteFile({ facts: { law } }));
  expect(itemsBelow(report(settings, []).text, 'Facts that are set in part')).toEqual([
    'facts.law is set without facts.lawConfirmedBy: the pages show both or neither.',
  ]);
  const opposite = readSiteConfig(siteFile({ facts: { lawConfirmedBy: law } }));
  expect(itemsBelow(report(opposite, []).text, 'Facts that are set in part')).toHaveLength(1);
});

test('a fact without a translation is listed by the key that is missing', () => {
  const facts = {
    ...ALL_FACTS,
    funder: { en: 'the Road Fund' },
    reviewer: { es: 'la Dra. Grace Hopper', en: null },
  };
  const settings = readSiteConfig(siteFile({ facts }));
  const { text } = report(settings, []);
  expect(itemsBelow(text, 'Facts that lack a translation')).toEqual([
    'facts.funder.es: the organizations that pay. The pages in Spanish show it in English.',
    'facts.reviewer.en: the reviewer and the role. The pages in English show it in Spanish.',
  ]);
  expect(itemsBelow(text, 'Facts that are not set')).toEqual([]);
});

test('values that a real operator may share with the example are no examples next to a real operator', () => {
  const examples = (facts: Record<string, unknown>) =>
    itemsBelow(report(readSiteConfig(siteFile({ facts })), []).text, 'Values of the repository');
  expect(examples({})).toContain('facts.minAge: 18');
  const real = examples({ operator: 'A Real Foundation' });
  expect(real).not.toContain('facts.minAge: 18');
  expect(real).toContain('facts.phone: +1 555 010 0199');
});

test('without a build it says what to do', () => {
  const { status, stderr } = goLive('node_modules/.cache/no-build');
  expect(status).toBe(1);
  expect(stderr.split('\n')).toContain(
    'There is no build in node_modules/.cache/no-build. Run npm run build first.',
  );
  expect(stderr).not.toContain('    at ');
});
