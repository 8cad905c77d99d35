import { expect, test } from 'vitest';
import { readSiteConfig } from '#site.config.ts';
import { exampleKeys, openFacts } from '../../build/open-values.ts';
import { ALL_FACTS } from '../helpers/run/all-facts.ts';
import { siteFile } from '../helpers/run/site-file.ts';

const siteWith = (facts: Record<string, unknown>) => readSiteConfig(siteFile({ facts }));

test('the repository’s site.json is an example, apart from what it leaves open', () => {
  const site = readSiteConfig();
  const settings = ['siteUrl', 'productName', 'partnerName', 'contactEmail', 'invitationCode'];
  const facts = Object.keys(site.facts).map((name) => `facts.${name}`);
  const open = openFacts(site.facts);
  expect(exampleKeys(site).sort()).toEqual(
    [...settings, ...facts.filter((key) => !open.includes(key))].sort(),
  );
  expect(open).toContain('facts.law');
});

test('values that a real operator may share with the example are no examples next to a real operator', () => {
  const keys = exampleKeys(siteWith({ operator: 'A Real Foundation' }));
  expect(keys).not.toContain('facts.minAge');
  expect(keys).toContain('facts.phone');
});

test('a fact without a translation is open in that language', () => {
  const funder = { en: 'the Road Fund' };
  const reviewer = { es: 'la Dra. Grace Hopper', en: null };
  expect(openFacts(siteWith({ ...ALL_FACTS, funder, reviewer }).facts)).toEqual([
    'facts.funder.es',
    'facts.reviewer.en',
  ]);
});
