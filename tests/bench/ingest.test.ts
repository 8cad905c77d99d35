/** `npm run bench:ingest` on a machine without the load generator. The bench needs Linux. */
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { makeDist } from '../helpers/server/server-dist.ts';

/** Makes a folder for PATH with only these programs. */
function makePath(...programs: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'path-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of programs) symlinkSync(`/usr/bin/${name}`, join(folder, name));
  return folder;
}

/** @returns the processes whose environment contains the text */
const processesWith = (text: string): string[] =>
  globSync('/proc/[0-9]*/environ').filter((file) => {
    try {
      return readFileSync(file, 'utf8').includes(text);
    } catch {
      return false; // The process has ended, or belongs to another user.
    }
  });

test.runIf(process.platform === 'linux')(
  'without wrk the bench names the missing package, and starts no server',
  async () => {
    const path = makePath('taskset', 'setpriv', 'getconf');
    const env = { PATH: path };
    const args = ['bench/ingest.ts', '--seconds', '1', '--build', makeDist()];
    const failed = await promisify(execFile)(process.execPath, args, { env }).catch(
      (error) => error,
    );
    expect(failed.code).toBe(1);
    expect(failed.stderr).toMatch(/wrk gave no result: .*apt-get install wrk/);
    await expect.poll(() => processesWith(path)).toEqual([]);
  },
);
