/** The lists of what the site records (contract/recorded.ts) are complete. tests/e2e/privacy.spec.ts compares them with a browser. */
import { expect, test } from 'vitest';
import { clickLineSchema } from '#contract/click-line.schema.ts';
import { VISIT_PROPERTIES } from '#contract/events.ts';
import { CLICK_FIELDS, PROPERTIES, VISIT_FIELDS } from '#contract/recorded.ts';
import { makeVisit } from '../../server/visits/visits.ts';

test('every field of a click’s line is in one group', () => {
  const fields = Object.values(CLICK_FIELDS).flat();
  expect(fields.sort()).toEqual(Object.keys(clickLineSchema.shape).sort());
});

test('every property of the tracking plan is in one group', () => {
  const properties = Object.values(PROPERTIES).flat();
  expect(properties.sort()).toEqual(Object.keys(VISIT_PROPERTIES).sort());
});

test('every column of a visit is in one group', () => {
  const properties = { $pathname: '/' } as Parameters<typeof makeVisit>[0]['properties'];
  const columns = Object.keys(makeVisit({ uuid: '', properties }, false, 0) ?? {});
  expect(Object.values(VISIT_FIELDS).flat().sort()).toEqual(columns.sort());
});
