import { expect, test } from 'vitest';
import {
  asOf,
  COMPLETENESS_START,
  type CompletenessFigures,
  completenessText,
  NO_FIGURES,
} from '../../dashboards/completeness.ts';

const NOW = Date.parse('2026-11-22T14:05:31Z');
const FIGURES: CompletenessFigures = {
  log: 12_345,
  posthog: 12_301,
  source: 'count',
  private: 31,
  robots: 0,
  waiting: 9,
  dropped: [{ reason: 'billing_limit_exceeded', clicks: 4 }],
  unknown: 0,
  since: null,
};

test('the tile says what the log has, what PostHog has, and why they differ', () => {
  const text = completenessText(FIGURES, NOW);
  expect(text.startsWith(COMPLETENESS_START)).toBe(true);
  expect(text).toContain(
    '**log 12,345 · PostHog 12,301 · 31 private, 9 waiting, 4 over quota** · as of 2026-11-22 14:05 UTC',
  );
  expect(text).toContain("PostHog's own count. The server goes on sending the waiting clicks.");
});

test('the tile names unexplained clicks first of all', () => {
  const text = completenessText({ ...FIGURES, unknown: 2 }, NOW);
  expect(text).toContain('2 unexplained');
  expect(text).toContain('run `npm run clicks -- reconcile`');
});

test('the tile is short if nothing differs, and says where its figures come from', () => {
  const same = { ...FIGURES, log: 5, posthog: 5, private: 0, waiting: 0, dropped: [] };
  const text = completenessText({ ...same, source: 'receipts', since: '2026-11-01' }, NOW);
  expect(text).toContain('**log 5 · PostHog 5 since 2026-11-01** · as of');
  expect(text).toContain("PostHog's receipts, not its own count. Every difference has its reason.");
});

test('a reason that PostHog invents cannot break the tile', () => {
  const dropped = [{ reason: '**evil**\n# <b>', clicks: 1 }];
  expect(completenessText({ ...FIGURES, dropped }, NOW)).toContain('1 dropped (evil b)');
});

test('the time is read back from the text', () => {
  expect(asOf(completenessText(FIGURES, NOW))).toBe(Date.parse('2026-11-22T14:05:00Z'));
  expect(asOf(NO_FIGURES)).toBe(null);
});
