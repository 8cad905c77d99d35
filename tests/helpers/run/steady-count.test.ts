import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { steadyCount } from './steady-count.ts';

test('waits for the last entry, and returns the list', async () => {
  const list = ['a'];
  delay(50).then(() => list.push('b'));
  expect(await steadyCount(() => list, 2)).toEqual(['a', 'b']);
});

test('notices an entry that is doubled 50 ms later', async () => {
  const list = ['a'];
  delay(50).then(() => list.push('a'));
  await expect(steadyCount(() => list, 1, 'clicks')).rejects.toThrow('2 clicks, not 1');
});
