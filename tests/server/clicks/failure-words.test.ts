/** What the log says when clicks cannot be kept: the reason first, and a stack only where the reason is not known. */
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { postClick } from '../../helpers/server/post-click.ts';
import { makeBody, startApp } from '../../helpers/server/server-app.ts';
import { watchDisk } from '../../helpers/server/watched-disk.ts';

async function refused(options: Parameters<typeof startApp>[0], damage = (_file: string) => {}) {
  const site = await startApp(options);
  damage(site.config.files.clickIndex);
  expect((await postClick(site, makeBody())).statusCode).toBe(503);
  return site.logged().filter(({ level }) => Number(level) >= 50);
}

test('too little space: the message of MIN_FREE_MB, without a stack', async () => {
  const lines = await refused({ env: { MIN_FREE_MB: '10000000' } });
  expect(lines).toEqual([
    {
      ...lines[0],
      msg: expect.stringMatching(
        /^Clicks cannot be kept: Only \d+ MB are free on the disk of .*MIN_FREE_MB=10000000: free some space, or lower it\.$/,
      ),
    },
  ]);
  expect(lines[0]).not.toHaveProperty('err');
});

test.each([
  ['EROFS', 'The disk of DATA_DIR is read-only (EROFS'],
  ['ENOSPC', 'The disk of DATA_DIR is full (ENOSPC'],
  ['EIO', 'The disk of DATA_DIR reports an error (EIO'],
  ['EACCES', 'The server may not write in DATA_DIR (EACCES'],
])('%s: the reason in words, without a stack', async (code, words) => {
  const watched = watchDisk();
  watched.break(code, 'write');
  const [line = {}] = await refused({ disk: watched.disk });
  expect(line).toMatchObject({
    msg: expect.stringContaining(`Clicks cannot be kept: ${words}`),
  });
  expect(line).not.toHaveProperty('err');
});

test('an unknown reason: its message first, and its stack', async () => {
  const [line = {}] = await refused({}, (file) => {
    const other = new DatabaseSync(file);
    other.exec('ALTER TABLE clicks_per_day RENAME TO gone');
    other.close();
  });
  expect(line).toMatchObject({
    msg: expect.stringMatching(/^Clicks cannot be kept: no such table: .*clicks_per_day/),
    err: { stack: expect.stringContaining('sqlite-index') },
  });
});
