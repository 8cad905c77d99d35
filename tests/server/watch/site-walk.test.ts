/** The server walks its own public address: each planted fault is named, and none is invented. */
import { expect, test } from 'vitest';
import { HARMLESS, PLANTED } from '../../helpers/fakes/planted-site-faults.ts';

test('the list names at least 30 faults, each once', () => {
  const names = [...PLANTED, ...HARMLESS].map(({ name }) => name);
  expect(PLANTED.length).toBeGreaterThanOrEqual(30);
  expect(new Set(names).size).toBe(names.length);
});
