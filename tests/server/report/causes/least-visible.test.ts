/** How long a halving of clicks on phones would stay unseen, on invented sites of any traffic. */
import { expect, test } from 'vitest';
import { makeTable } from '../../../../server/report/causes/counts.ts';
import { findLeastVisible } from '../../../../server/report/causes/least-visible.ts';
import { lookDaily } from '../../../../server/report/causes/read-news.ts';
import { inventSite } from '../../../helpers/causes/invented-site.ts';

test.each([
  [8, 28],
  [17, 14],
  [60, 3],
  [200, 1],
])('at %i clicks a day it shows after so many days', (clicksADay, days) => {
  const { rows } = inventSite('quiet', clicksADay, 1, { before: 70, after: 1 });
  const table = makeTable(rows);
  const last = table.days.length - 1;
  expect(findLeastVisible(table, last, [])).toEqual({ isOfPhones: true, days });
});

test('the days of a fault that is known say nothing about what is usual', () => {
  const { rows, onset } = inventSite('phones', 60, 1, { before: 70, after: 25 });
  const table = makeTable(rows);
  const daysOn = (day: number) => {
    const { told } = lookDaily(table, table.days[day] ?? '', null).memory;
    return findLeastVisible(table, day, told)?.days;
  };
  expect([daysOn(onset - 1), daysOn(onset + 14)]).toEqual([7, 7]);
});
