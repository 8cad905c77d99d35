/** An operator renames the ledger, sends SIGHUP and packs the file at once, while visitors click. */
import { spawnSync } from 'node:child_process';
import { readdirSync, renameSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../helpers/server/run-cli.ts';
import { expectKept, readTotal } from '../helpers/server/server-check.ts';
import { makeLoad, startLoad, untilAcked } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

const ROTATIONS = 12;

test(`${ROTATIONS} times rename, SIGHUP and gzip at once: every click is in one of the files, once`, async () => {
  const load = makeLoad();
  const server = await startServer();
  const { dataDir, ledger, url } = server;
  const stop = startLoad(url, load);
  for (let round = 1; round <= ROTATIONS; round += 1) {
    await untilAcked(load, 150);
    const rotated = `${ledger}-20260131-${round}`;
    renameSync(ledger, rotated);
    // Each third time the file is packed before the server hears of the rotation.
    if (round % 3 > 0) server.child.kill('SIGHUP');
    expect(spawnSync('gzip', [rotated]).status).toBe(0);
    if (round % 3 === 0) server.child.kill('SIGHUP');
  }
  await untilAcked(load, 150);
  await stop();
  const stored = await expectKept(ledger, load);
  expect(await readTotal(url)).toBe(stored);
  expect(await runCli('clicks.ts', ['verify'], { DATA_DIR: dataDir })).toMatchObject({
    code: 0,
    out: expect.stringMatching(/\nNo difference\.\n$/),
  });
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ready' });
  const packed = readdirSync(dataDir).filter((name) => name.endsWith('.gz'));
  expect(packed).toHaveLength(ROTATIONS);
  expect(packed[0]).toContain(basename(ledger));
  await server.stop('SIGKILL');
  const again = await startServer({ dataDir });
  expect(await readTotal(again.url)).toBe(stored);
});
