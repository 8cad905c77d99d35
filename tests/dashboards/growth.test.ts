import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EVENTS } from '../../contract/events.ts';
import type { Place } from '../../dashboards/dashboard.ts';
import { GROWTH } from '../../dashboards/growth.ts';
import { parseHogql } from './hogql.ts';

const { insights } = GROWTH;

describe('every HogQL text', () => {
  const texts = insights.flatMap(({ key, query }) =>
    [...valuesOf(query, ['query', 'math_hogql']), ...hogqlBreakdowns(query)]
      .filter((value) => typeof value === 'string')
      .map((hogql) => ({ key, hogql })),
  );

  test.each(texts)('of $key is understood by the parser of PostHog', ({ hogql }) => {
    expect(() => parseHogql(hogql)).not.toThrow();
  });

  test('that is wrong is refused by it', () => {
    expect(() => parseHogql('select from events')).toThrow(/SyntaxError/);
    expect(() => parseHogql('uniq(uuid')).toThrow(/SyntaxError/);
  });

  test('is one of several, and a query has a date range and a limit of its own', () => {
    expect(texts.length).toBeGreaterThan(3);
    for (const { hogql } of texts.filter(({ hogql }) => hogql.startsWith('select'))) {
      expect(hogql).toContain('{filters}');
      expect(hogql).toMatch(/limit \d+$/);
    }
  });
});

test('the parts of a dashboard have different keys, of letters that a tag may have', () => {
  const keys = insights.map(({ key }) => key);
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.filter((key) => !/^[a-z0-9-]{1,60}$/.test(key))).toEqual([]);
});

test('no two tiles overlap, and all are within twelve columns', () => {
  const places = insights.map(({ place }) => place);
  const cells = places.flatMap(cellsOf);
  expect(new Set(cells).size).toBe(cells.length);
  for (const { x, w } of places) expect(x + w).toBeLessThanOrEqual(12);
});

test('docs/growth.md lists each tile with its question, in the order of the dashboard', () => {
  const page = readFileSync('docs/growth.md', 'utf8');
  const [, table = ''] = page.split('| tile | the question that it answers |\n|---|---|\n');
  const rows = table.split('\n\n')[0]?.split('\n');
  expect(rows).toEqual(insights.map(({ name, description }) => `| ${name} | ${description} |`));
});

test('docs/growth.md names every event of the tracking plan, and no other', () => {
  const page = readFileSync('docs/growth.md', 'utf8');
  const [, list = ''] = page.split('PostHog gets\n');
  const named = list.split('```')[0]?.match(/(?<= {2})(\$|[a-z]+_)[a-z_]+/g) ?? [];
  expect(named.sort()).toEqual(Object.keys(EVENTS).sort());
});

test('the sections in the funnels are sections of the page', () => {
  const page = globSync('pages/index/*.tsx').map((file) => readFileSync(file, 'utf8'));
  const filters = insights.flatMap(({ query }) => valuesOf(query, ['properties'])).flat() as {
    key: string;
    value: string[];
  }[];
  const sections = filters.filter(({ key }) => key === 'section').flatMap(({ value }) => value);
  expect(sections.length).toBeGreaterThan(0);
  for (const section of sections) {
    expect(page.some((source) => source.includes(`id="${section}"`))).toBe(true);
  }
});

test('the steps of a funnel between the first and the last are optional', () => {
  const funnels = insights.filter(({ key }) => key.startsWith('funnel-'));
  expect(funnels.map(({ query }) => query.source.kind)).toEqual(['FunnelsQuery', 'FunnelsQuery']);
  for (const { query } of funnels) {
    const [series = []] = valuesOf(query, ['series']) as { optionalInFunnel?: boolean }[][];
    const optional = series.map((step) => step.optionalInFunnel === true);
    expect(optional).toEqual([false, ...Array(series.length - 2).fill(true), false]);
  }
});

/** Expressions by which a query splits its series. */
function hogqlBreakdowns(query: unknown): unknown[] {
  const filters = valuesOf(query, ['breakdownFilter']) as Record<string, unknown>[];
  return filters.flatMap((filter) => (filter.breakdown_type === 'hogql' ? [filter.breakdown] : []));
}

/** The values of these keys, at any depth. */
function valuesOf(value: unknown, keys: string[]): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [
    ...(keys.includes(key) ? [part] : []),
    ...valuesOf(part, keys),
  ]);
}

function cellsOf({ x, y, w, h }: Place): string[] {
  return Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`);
}
