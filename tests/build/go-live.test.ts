/** `npm run golive`, through the real command, on real builds. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSiteConfig, SITE_VARIABLES } from '#site.config.ts';
import { goLive as report } from '../../build/go-live/report.ts';
import { build } from '../helpers/run/build.ts';

const SET = {
  VITE_PRODUCT_NAME: 'The Long Road',
  VITE_SITE_URL: 'https://road.health',
  VITE_PARTNER_NAME: 'Harbor Records',
  VITE_PORTAL_HOST: 'portal.harbor.health',
  VITE_INVITATION_CODE: 'ROAD1',
  VITE_PRIVACY_URL: 'https://harbor.health/privacy',
  VITE_TERMS_URL: 'https://harbor.health/terms',
  VITE_CONTACT_EMAIL: 'hello@road.health',
  VITE_IP_LOOKUP_URL: '',
  VITE_POSTHOG_KEY: 'phc_test',
  VITE_OPERATOR: 'Road Foundation',
  VITE_OPERATOR_ADDRESS: '1 Main Street, Springfield',
  VITE_FUNDER: 'the Road Fund',
  VITE_OVERSIGHT: 'Example IRB, approval 12',
  VITE_PHONE: '+1 555 010 0199',
  VITE_MIN_AGE: '18',
  VITE_GUARDIANS: 'on',
  VITE_COUNTRY: 'US',
  VITE_COST: 'free',
  VITE_SIGN_UP_MINUTES: '5',
  VITE_LAW: 'HIPAA',
  VITE_LAW_CONFIRMED_BY: 'Ada Lovelace, counsel',
  VITE_CLINICS_URL: 'https://harbor.health/clinics',
  VITE_REVIEWED_ON: '2026-11-01',
  VITE_REVIEWER: 'Dr. Grace Hopper, neurologist',
  VITE_TRANSLATION_REVIEWER: 'Sor Juana',
};

function goLive(dist: string) {
  const env = { ...process.env, DIST_DIR: dist };
  return spawnSync('npm', ['run', '-s', 'golive'], { env, encoding: 'utf8' });
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
      expect.stringMatching(/nationwide.*VITE_COUNTRY.*\n.*On \/, \/es\//),
      expect.stringMatching(/compliant.*VITE_LAW_CONFIRMED_BY.*\n.*On \/, \/es\//),
      expect.stringMatching(/questions.*VITE_CONTACT_EMAIL.*\n.*\/help\//),
      expect.stringMatching(/portal.*VITE_PORTAL_HOST.*\n.*On \/, /),
      expect.stringMatching(/privacy policy or the terms.*\n.*On \/, /),
    ]);
    expect(stdout.trimEnd()).toMatch(/NOT READY: 5 claims have no fact behind them\.$/);
  });

  test('lists each fact of site.config.ts that is not set, with a reason', () => {
    const facts = itemsBelow(stdout, 'Facts that are not set');
    const names = SITE_VARIABLES.slice(
      SITE_VARIABLES.indexOf('VITE_OPERATOR'),
      SITE_VARIABLES.indexOf('VITE_TRANSLATION_REVIEWER') + 1,
    );
    expect(names.length).toBeGreaterThan(15);
    expect(facts.map((fact) => fact.split(':')[0])).toEqual(names);
    for (const fact of facts) expect(fact).toMatch(/\n {4}Why: .{10}/);
  });

  test('lists the values of the repository, the look-up, and the translation', () => {
    expect(itemsBelow(stdout, 'Values of the repository')).toContain(
      'VITE_CONTACT_EMAIL=hello@portal.example',
    );
    expect(itemsBelow(stdout, 'Another company')[0]).toMatch(/^VITE_IP_LOOKUP_URL is on: /);
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
  const settings = readSiteConfig({ VITE_LAW: 'HIPAA' });
  expect(itemsBelow(report(settings, []).text, 'Facts that are set in part')).toEqual([
    'VITE_LAW is set without VITE_LAW_CONFIRMED_BY: the pages show both or neither.',
  ]);
  const opposite = readSiteConfig({ VITE_LAW_CONFIRMED_BY: 'Ada Lovelace' });
  expect(itemsBelow(report(opposite, []).text, 'Facts that are set in part')).toHaveLength(1);
});

test('without a build it says what to do', () => {
  const { status, stderr } = goLive('node_modules/.cache/no-build');
  expect(status).toBe(1);
  expect(stderr.split('\n')).toContain(
    'There is no build in node_modules/.cache/no-build. Run npm run build first.',
  );
  expect(stderr).not.toContain('    at ');
});
