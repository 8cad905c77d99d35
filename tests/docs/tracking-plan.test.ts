import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { VISIT_PROPERTIES } from '../../server/visits/visit-properties.ts';

const PAGE = readFileSync('docs/tracking-plan.md', 'utf8');

test('docs/tracking-plan.md describes every property of all events, and no other', () => {
  const names = [...PAGE.matchAll(/^\| `([^`]+)` \|/gm)].map(([, name]) => name);
  expect(names).toEqual(Object.keys(VISIT_PROPERTIES));
});
