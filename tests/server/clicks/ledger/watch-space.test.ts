import { expect, onTestFinished, test } from 'vitest';
import { watchSpace } from '../../../../server/clicks/ledger/watch-space.ts';

const MB = 1024 * 1024;

test('warns once when less than five times MIN_FREE_MB is free, and once when there is enough again', async () => {
  const said: string[] = [];
  const note = (text: string) => void said.push(text);
  let free = 600;
  const watch = watchSpace({
    folder: '/data',
    minFreeBytes: 100 * MB,
    log: { info: note, warn: note } as never,
    freeBytes: () => free * MB,
    everyMs: 1,
  });
  onTestFinished(watch.stop);
  expect(watch.warning()).toBeNull();
  for (const next of [499, 300, 520]) {
    free = next;
    await expect.poll(() => watch.warning()).toMatch(/499|300/);
  }
  expect(said).toEqual([expect.stringMatching(/^Only 499 MB are free on the disk of \/data\./)]);
  free = 551;
  await expect.poll(() => watch.warning()).toBeNull();
  free = 400;
  await expect.poll(() => said.length).toBe(3);
  expect(said[1]).toBe('Enough space is free again on the disk of /data: 551 MB');
});
