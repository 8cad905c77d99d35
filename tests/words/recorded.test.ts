/** The lists of what the site records (contract/recorded.ts) are complete. tests/e2e/recorded.ts compares them with a browser. */
import { expect, test } from 'vitest';
import { clickLineSchema } from '#contract/click-line.schema.ts';
import { VISIT_PROPERTIES } from '#contract/events.ts';
import { CLICK_FIELDS, PROPERTIES } from '#contract/recorded.ts';

test('every field of a click’s line is in one group', () => {
  const fields = Object.values(CLICK_FIELDS).flat();
  expect(fields.sort()).toEqual(Object.keys(clickLineSchema.shape).sort());
});

test('every property of the tracking plan is in one group', () => {
  const properties = Object.values(PROPERTIES).flat();
  expect(properties.sort()).toEqual(Object.keys(VISIT_PROPERTIES).sort());
});
