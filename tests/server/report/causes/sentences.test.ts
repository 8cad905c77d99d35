import { expect, test } from 'vitest';
import type { Change } from '../../../../server/report/causes/change.ts';
import {
  changeSentence,
  farBelowSentence,
  holeSentence,
} from '../../../../server/report/causes/sentences.ts';
import { plainNames } from '../../../../server/report/causes/words.ts';

const PHONES: Change = {
  slice: { device: 'small' },
  measure: 'rate',
  now: 4.02,
  usual: 12.51,
  counts: { visits: 1240, clicks: 50 },
  since: '2026-11-10',
  until: '2026-11-27',
  isOpen: true,
};

test.each<[name: string, parts: Partial<Change>, text: string]>([
  ['a rate that has fallen', {}, 'Phones: 4 clicks per 100 visits since Nov 10, were 12.5.'],
  [
    'a fault that is over',
    { isOpen: false },
    'Phones: 4 clicks per 100 visits from Nov 10 to Nov 27, were 12.5.',
  ],
  [
    'a pair, on one day',
    { slice: { device: 'small', language: 'es' }, until: '2026-11-10' },
    'Phones, Spanish pages: 4 clicks per 100 visits on Tuesday, November 10, were 12.5.',
  ],
  [
    'a new campaign',
    { slice: { campaign: 'newsletter / email' }, measure: 'visits', now: 635, usual: 0.2 },
    'Campaign newsletter / email: 635 visits a day since Nov 10, usually almost none.',
  ],
  [
    'a stop',
    { slice: {}, measure: 'visits', now: 0, usual: 120 },
    'The site: no visit since Nov 10, usually 120.',
  ],
  [
    'more clicks than visits',
    { slice: { ref: 'clinic-5' }, now: 20_000, usual: 12, counts: { visits: 1, clicks: 200 } },
    'clinic-5: 200 clicks from only 1 visit since Nov 10.',
  ],
])('a sentence says %s', (_, parts, text) => {
  expect(changeSentence({ ...PHONES, ...parts }, [], plainNames).text).toBe(text);
});

test('a sentence leads to its rows, and has the notes of its days', () => {
  const notes = [
    { day: '2026-11-08', note: 'too early' },
    { day: '2026-11-09', note: 'New version' },
  ];
  expect(changeSentence(PHONES, notes, plainNames)).toEqual({
    text: 'Phones: 4 clicks per 100 visits since Nov 10, were 12.5. Your note of Nov 9: “New version”.',
    address: 'device=small&from=2026-11-10&to=2026-11-27',
  });
});

test('a sentence says how far a link is below the others', () => {
  const link = { ref: 'clinic-3', visits: 300, rated: 5, expected: 42 };
  expect(farBelowSentence(link, ['2026-11-01', '2026-11-30'], plainNames)).toEqual({
    text: 'clinic-3: 300 visits, 5 clicks, far below the other links (1.7 per 100 visits, others 14).',
    address: 'ref=clinic-3&from=2026-11-01&to=2026-11-30',
  });
});

test('a sentence says since when no visit has come', () => {
  const hole = { since: '2026-09-22T14', hours: 6, expected: 41.6, usual: 120 };
  expect(holeSentence(hole)).toEqual({
    text: 'No visit for 6 hours, since Sep 22, 14:00; 42 visits are usual in this time.',
    address: 'from=2026-09-22&to=2026-09-22',
  });
});
