import { expect, test } from 'vitest';
import { findHole } from '../../../../server/report/causes/find-hole.ts';
import { inventSite } from '../../../helpers/causes/invented-site.ts';

const FOUR_WEEKS = 28 * 24;

test('an outage from 2 pm on is found on the same day, with its first hour', () => {
  const { hours, onset } = inventSite('outage', 17, 1, { before: 35, after: 10 });
  const begin = onset * 24 + 14;
  const found = Array.from({ length: 10 }, (_, i) =>
    findHole(hours.slice(begin + i + 1 - FOUR_WEEKS, begin + i + 1)),
  ).find((hole) => hole !== null);
  expect(found?.since).toMatch(/T1[34]$/);
  expect(found?.hours).toBeLessThan(10);
  expect(found?.expected).toBeGreaterThan(10);
});

test('140 days without a cause have no hole, at any hour', () => {
  const { hours } = inventSite('quiet', 8, 1);
  const found = Array.from({ length: 140 * 24 }, (_, i) => 30 * 24 + i).filter((last) =>
    findHole(hours.slice(Math.max(0, last + 1 - FOUR_WEEKS), last + 1)),
  );
  expect(found).toEqual([]);
});

test('a site that is younger than two weeks has no hole', () => {
  const hours = Array.from({ length: 13 * 24 }, (_, i) => ({ hour: `${i}`, visits: 20 }));
  const silent = Array.from({ length: 23 }, (_, i) => ({ hour: `later ${i}`, visits: 0 }));
  expect(findHole([...hours, ...silent])).toBeNull();
});
