import { expect, test } from 'vitest';
import { findFarBelow } from '../../../../server/report/causes/far-below.ts';
import { inventSite } from '../../../helpers/causes/invented-site.ts';

test('a leaflet that fails is named among all links, with the clicks that it should have', () => {
  const { rows } = inventSite('quiet', 17, 1, { before: 90, after: 0 });
  expect(findFarBelow(rows)).toEqual([]);
  const failing = rows.map((row) =>
    row.ref === 'clinic-2' && !row.day.endsWith('7') ? { ...row, clicks: 0, rated: 0 } : row,
  );
  const [link, ...others] = findFarBelow(failing);
  expect(link?.ref).toBe('clinic-2');
  expect(link?.rated).toBeLessThan((link?.expected ?? 0) / 5);
  expect(others).toEqual([]);
});
