/**
 * Generates request bodies for property tests: any JSON, clicks with invalid fields, and valid
 * clicks with unusual texts.
 */
import fc from 'fast-check';
import { makeBody } from './server-app.ts';

const unusualText = fc.string({ unit: 'binary', maxLength: 140 });
const value = fc.oneof(unusualText, fc.constant('\ud800\0\u2028\n'), fc.jsonValue());
const fields = [
  ...Object.keys(makeBody()),
  'id',
  'visit_id',
  'sent_at',
  '__proto__',
  'constructor',
];

export const anyBody: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 2, arbitrary: fc.dictionary(fc.constantFrom(...fields), value) },
  {
    weight: 2,
    arbitrary: fc.dictionary(fc.constantFrom(...fields), value, { maxKeys: 1 }).map(makeBody),
  },
  {
    weight: 3,
    arbitrary: fc.record({ referrer: unusualText, user_agent: unusualText }).map(makeBody),
  },
);
