/** The verdict of a rehearsal names each lost and each repeated click. */
import { expect, test } from 'vitest';
import { type Evidence, journeysOf } from '../../rehearse/night/journey.ts';
import { isClean, judge } from '../../rehearse/night/verdict.ts';

const IDS = ['a', 'b', 'c'];
const event = (uuid: string, userAgent = 'browser') => ({ uuid, at: 30, userAgent });

/** A night in which every click has arrived once. `parts` replaces what one place has. */
function verdictOf(parts: Partial<Evidence> = {}, mails = [{ email: 'ana', mails: 1 }]) {
  const evidence: Evidence = {
    made: IDS.map((id) => ({ id, at: 10 })),
    confirmed: new Map(IDS.map((id) => [id, 22])),
    seen: new Map(IDS.map((id) => [id, [{ ledger: 0, at: 20 }]])),
    ledgers: [IDS, [], []],
    indexed: new Map(IDS.map((id) => [id, 21])),
    counted: 3,
    events: IDS.map((id) => event(id)),
    ...parts,
  };
  return judge(
    journeysOf(evidence, (userAgent) => userAgent === 'browser'),
    evidence,
    mails,
  );
}

test('a night in which every click arrived once is clean', () => {
  const verdict = verdictOf({ events: [event('a'), event('b', 'server'), event('c')] });
  expect(verdict).toMatchObject({ clicks: 3, lost: [], twice: [], completed: 1 });
  expect(isClean(verdict)).toBe(true);
});

test.each<[string, Partial<Evidence>]>([
  ['b: in no ledger', { ledgers: [['a'], ['c'], []] }],
  [
    'b: not in the index',
    {
      indexed: new Map([
        ['a', 21],
        ['c', 21],
      ]),
      counted: 2,
    },
  ],
  ['b: not at PostHog', { events: [event('a'), event('c')] }],
  [
    'b: never confirmed to the browser',
    {
      confirmed: new Map([
        ['a', 22],
        ['c', 22],
      ]),
    },
  ],
])('lost: %s', (name, parts) => {
  const verdict = verdictOf(parts);
  expect(verdict).toMatchObject({ lost: [name], twice: [] });
  expect(isClean(verdict)).toBe(false);
});

test.each<[string, Partial<Evidence>]>([
  ['b: ledger 2', { ledgers: [['a'], ['b', 'c', 'b'], []] }],
  ['1 clicks more in the counters of the index than clicks', { counted: 4 }],
  ['b: PostHog', { events: [...IDS.map((id) => event(id)), event('b', 'server')] }],
])('twice: %s', (name, parts) => {
  const verdict = verdictOf(parts);
  expect(verdict).toMatchObject({ lost: [], twice: [name] });
  expect(isClean(verdict)).toBe(false);
});

test('a click in two ledgers is not twice, because the index counts it once', () => {
  const verdict = verdictOf({ ledgers: [IDS, ['b'], []] });
  expect(verdict).toMatchObject({ inTwoLedgers: 1, lost: [], twice: [] });
});

test('a mail that did not arrive, or arrived twice, is a fault', () => {
  const lost = verdictOf({}, [{ email: 'ana', mails: 0 }]);
  expect([lost.mailsLost, isClean(lost)]).toEqual([['ana'], false]);
  const twice = verdictOf({}, [{ email: 'ana', mails: 2 }]);
  expect([twice.mailsTwice, isClean(twice)]).toEqual([['ana'], false]);
});
