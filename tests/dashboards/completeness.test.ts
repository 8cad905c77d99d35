import { expect, test } from 'vitest';
import {
  asOf,
  COMPLETENESS_START,
  type CompletenessFigures,
  completenessText,
  NO_FIGURES,
  withParagraph,
} from '../../dashboards/completeness.ts';

const NOW = Date.parse('2026-11-22T14:05:31Z');
const FIGURES: CompletenessFigures = {
  log: 12_345,
  posthog: 12_301,
  source: 'count',
  private: 31,
  robots: 0,
  waiting: 9,
  others: [{ reason: 'billing_limit_exceeded', clicks: 4 }],
  unknown: 0,
  since: null,
};

test('the tile says what the log has, what PostHog has, and why they differ', () => {
  const text = completenessText(FIGURES, NOW);
  expect(text).toContain(
    '**log 12,345 · PostHog 12,301 · 31 private, 9 waiting, 4 over quota** · as of 2026-11-22 14:05 UTC. ',
  );
  expect(text).toContain("PostHog's own count. The server goes on sending the waiting clicks.");
});

test('the tile names unexplained clicks first of all', () => {
  const text = completenessText({ ...FIGURES, unknown: 2 }, NOW);
  expect(text).toContain('2 unexplained');
  expect(text).toContain('run `npm run clicks -- reconcile --list`');
});

test('the tile is short if nothing differs, and says where its figures come from', () => {
  const same = { ...FIGURES, log: 5, posthog: 5, private: 0, waiting: 0, others: [] };
  const text = completenessText({ ...same, source: 'receipts', since: '2026-11-01' }, NOW);
  expect(text).toContain('**log 5 · PostHog 5 since 2026-11-01** · as of');
  expect(text).toContain("PostHog's receipts, not its own count. Every difference has its reason.");
});

test('a reason that PostHog invents cannot break the tile', () => {
  const others = [{ reason: '**evil**\n# <b>', clicks: 1 }];
  expect(completenessText({ ...FIGURES, others }, NOW)).toContain('1 dropped (evil b)');
});

test('the tile of one server has its text alone, and the time is read back', () => {
  const body = withParagraph(NO_FIGURES, completenessText(FIGURES, NOW), null);
  expect(body).toBe(`${COMPLETENESS_START}\n\n${completenessText(FIGURES, NOW)}`);
  expect(asOf(body, null)).toBe(Date.parse('2026-11-22T14:05:00Z'));
  expect(asOf(NO_FIGURES, null)).toBe(null);
});

test('several servers have a paragraph each, and write only their own', () => {
  const write = (body: string, server: string, log: number) =>
    withParagraph(body, completenessText({ ...FIGURES, log }, NOW, server), server);
  const both = write(write(NO_FIGURES, 'b', 2), 'a', 1);
  expect(both.match(/Server \w: \*\*log \d/g)).toEqual(['Server a: **log 1', 'Server b: **log 2']);
  const again = write(both, 'b', 3);
  expect(again.match(/Server \w: \*\*log \d/g)).toEqual(['Server a: **log 1', 'Server b: **log 3']);
  expect(again.startsWith(COMPLETENESS_START)).toBe(true);
  expect(asOf(again, 'a')).toBe(Date.parse('2026-11-22T14:05:00Z'));
  expect(asOf(again, 'c')).toBe(null);
});

test('the paragraphs of many servers fit into a tile', () => {
  let body = NO_FIGURES;
  for (let i = 10; i < 40; i += 1) {
    body = withParagraph(body, completenessText(FIGURES, NOW, `server-${i}`), `server-${i}`);
  }
  expect(body.length).toBeLessThan(4000);
});
