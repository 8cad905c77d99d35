import { expect, test } from 'vitest';
import { isCountingOff, setCountingOff } from '#browser/opt-out.ts';
import { memoryStorage, refusingStorage } from '../helpers/fakes/storages.ts';

test('the choice is kept, and taken back', () => {
  const storage = memoryStorage();
  expect(isCountingOff(storage)).toBe(false);
  expect(setCountingOff(storage, true)).toBe(true);
  expect(isCountingOff(storage)).toBe(true);
  setCountingOff(storage, false);
  expect(storage.length).toBe(0);
});

test('a browser that refuses storage says so, and counts as before', () => {
  expect(setCountingOff(refusingStorage(), true)).toBe(false);
  expect(isCountingOff(refusingStorage())).toBe(false);
  expect(setCountingOff(null, true)).toBe(false);
});
