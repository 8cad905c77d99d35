import { expect, test } from 'vitest';
import { hasOptedOut, setOptedOut } from '#browser/opt-out.ts';
import { memoryStorage, refusingStorage } from '../helpers/fakes/storages.ts';

test('the choice is stored, and can be withdrawn', () => {
  const storage = memoryStorage();
  expect(hasOptedOut(storage)).toBe(false);
  expect(setOptedOut(storage, true)).toBe(true);
  expect(hasOptedOut(storage)).toBe(true);
  setOptedOut(storage, false);
  expect(storage.length).toBe(0);
});

test('without storage the opt-out fails, and counting continues', () => {
  expect(setOptedOut(refusingStorage(), true)).toBe(false);
  expect(hasOptedOut(refusingStorage())).toBe(false);
  expect(setOptedOut(null, true)).toBe(false);
});
