import { expect, test } from 'vitest';
import { isNear } from '#contract/is-near.ts';

test.each([
  ['clinic-7', true],
  ['clinc-7', true],
  ['clinic-77', true],
  ['clinic-8', true],
  ['clinci-7', true],
  ['clinic-', true],
  ['xclinic-7', true],
  ['clinic-88', false],
  ['lcinci-7', false],
  ['', false],
])('whether %j may be meant as clinic-7: %s', (word, isMeant) => {
  expect([isNear(word, 'clinic-7'), isNear('clinic-7', word)]).toEqual([isMeant, isMeant]);
});
