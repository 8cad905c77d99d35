/** What the report says of a period, on invented sites with one planted cause. */
import { expect, test } from 'vitest';
import { type CountRow, makeTable } from '../../../../server/report/causes/counts.ts';
import {
  explainPeriod,
  type Length,
  type PeriodFacts,
} from '../../../../server/report/causes/explain-period.ts';
import { sentencesOf } from '../../../../server/report/causes/fact-sentences.ts';
import { findHoles } from '../../../../server/report/causes/find-hole.ts';
import { lookDaily } from '../../../../server/report/causes/read-news.ts';
import { changeSentence } from '../../../../server/report/causes/sentences.ts';
import { plainNames } from '../../../../server/report/causes/words.ts';
import { inventSite } from '../../../helpers/causes/invented-site.ts';
import type { CauseName } from '../../../helpers/causes/planted-causes.ts';

const keep = <Result>(make: (cause: CauseName, days: number) => Result) => {
  const made = new Map<string, Result>();
  return (cause: CauseName, days: number): Result => {
    const key = `${cause} ${days}`;
    const found = made.get(key) ?? make(cause, days);
    made.set(key, found);
    return found;
  };
};

/** A site on the twelfth day of its cause, and what its alerts have told. Each is made once. */
const siteOf = keep((cause, daysBefore) => {
  const { rows, hours, onset } = inventSite(cause, 17, 1, { before: daysBefore, after: 20 });
  const table = makeTable(rows);
  const last = onset + 12;
  const day = table.days[last] ?? '';
  const { told } = lookDaily(table, day, null).memory;
  const holes = findHoles(hours.filter(({ hour }) => hour.slice(0, 10) <= day));
  return { rows, table, last, told, holes };
});

interface Options {
  notes?: { day: string; note: string }[];
  daysBefore?: number;
  change?: (row: CountRow) => CountRow;
}

function sentencesFor(cause: CauseName, length: Length, options: Options = {}) {
  const { notes = [], daysBefore = 70, change } = options;
  const site = siteOf(cause, daysBefore);
  const table = change ? makeTable(site.rows.map(change)) : site.table;
  const period = explainPeriod(table, site.last, length, site);
  return { period, sentences: sentencesOf(period, { nameOf: plainNames, notes }) };
}

test.each<[CauseName, Length, role: string, text: RegExp]>([
  ['phones', 7, 'look', /^Phones: .* since .* were .* Open the page on a phone/],
  ['phones', 30, 'look', /^Phones: .* since /],
  ['newsletter', 30, 'why', /^Campaign newsletter \/ email: [\d,]+ visits a day from /],
  ['newsletter', 7, 'why', /^Campaign newsletter \/ email: /],
  ['outage', 30, 'why', /^No visit for 30 hours, since .*, 14:00; [\d,]+ visits are usual/],
  ['outage', 7, 'why', /^No visit for 30 hours/],
])('the cause “%s” is the first fact about %i days', (cause, length, role, text) => {
  const [changed, fact] = sentencesFor(cause, length).sentences;
  expect(changed).toMatchObject({ role: 'changed', text: expect.stringMatching(/clicks? than/) });
  expect(fact).toMatchObject({ role, text: expect.stringMatching(text) });
});

test('a cause that no alert has told is found by comparing the two periods', () => {
  const { table, last } = siteOf('quiet', 70);
  const since = table.days[last - 6] ?? '';
  const isBroken = ({ day, device }: CountRow) => day >= since && device === 'small';
  const change = (row: CountRow) => (isBroken(row) ? { ...row, clicks: 0, rated: 0 } : row);
  const [, fact, ...more] = sentencesFor('quiet', 7, { change }).sentences;
  const text = expect.stringMatching(/^Phones: 0 clicks per 100 visits from .* to .*, were /);
  expect(fact).toMatchObject({ role: 'why', text });
  expect(more).toEqual([]);
});

test.each<Length>([7, 30])(
  'a button that only phones press is no change about %i days, if it was so before',
  (length) => {
    const change = (row: CountRow) =>
      row.cta === '' ? row : { ...row, cta: row.device === 'small' ? 'hero' : 'help' };
    const { sentences } = sentencesFor('quiet', length, { change });
    expect(sentences).toMatchObject([{ role: 'usual', text: expect.stringMatching(/^As usual/) }]);
  },
);

test.each<Length>([7, 30])('a quiet site has one sentence about %i days: as usual', (length) => {
  const { sentences } = sentencesFor('quiet', length);
  expect(sentences).toMatchObject([{ role: 'usual', text: expect.stringMatching(/^As usual: /) }]);
});

test('a fault that has become the new level stays named with its first day', () => {
  const { rows, onset } = inventSite('phones', 60, 1, { before: 70, after: 50 });
  const table = makeTable(rows);
  const last = onset + 39;
  const { told } = lookDaily(table, table.days[last] ?? '', null).memory;
  const period = explainPeriod(table, last, 30, { told, holes: [] });
  const [, fact] = sentencesOf(period, { nameOf: plainNames, notes: [] });
  const { text } = changeSentence(changeOf(period), [], plainNames);
  expect(fact?.text).toContain(text);
  expect(text).toMatch(/^Phones: .* clicks per 100 visits since .*, were /);
  expect(changeOf(period).since).toBe(table.days[onset]);
  expect(told, 'it is told once').toHaveLength(1);
});

test('a link whose visitors hardly press is what to look at', () => {
  const failing = 'clinic-1';
  const change = (row: CountRow) => (row.ref === failing ? { ...row, clicks: 0, rated: 0 } : row);
  const { sentences } = sentencesFor('quiet', 30, { change });
  expect(sentences.at(-1)).toMatchObject({
    role: 'look',
    text: expect.stringMatching(/^clinic-1: [\d,]+ visits, 0 clicks, far below the other links/),
    address: expect.stringMatching(/^ref=clinic-1&from=.*&to=/),
  });
});

test('the effects of visits, of their mix and of rates add up to the difference', () => {
  const [changed] = sentencesFor('phones', 30).sentences;
  const [, total, way] = / ([\d,]+) (more|fewer) clicks? than/.exec(changed?.text ?? '') ?? [];
  const effects = [...(changed?.text ?? '').matchAll(/([+−])([\d,]+) (?:by|without)/g)];
  const sum = effects.reduce(
    (n, [, sign, size]) => n + Number(`${sign === '+' ? '' : '-'}${size}`),
    0,
  );
  expect(effects.length).toBeGreaterThan(1);
  expect(sum).toBe(Number(total) * (way === 'more' ? 1 : -1));
});

test('a note of the team on a day of the cause is part of its sentence', () => {
  const { since } = changeOf(sentencesFor('newsletter', 30).period);
  const notes = [{ day: since, note: 'Newsletter of spring' }];
  const [, fact] = sentencesFor('newsletter', 30, { notes }).sentences;
  expect(fact?.text).toContain('“Newsletter of spring”');
});

function changeOf({ facts: [fact] }: PeriodFacts) {
  if (fact?.kind !== 'change') throw new Error('no change');
  return fact.change;
}

test('a site younger than two periods is compared with nothing, and says so', () => {
  const { sentences } = sentencesFor('quiet', 30, { daysBefore: 30 });
  expect(sentences.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^As usual: .* too young to compare/),
  ]);
});
