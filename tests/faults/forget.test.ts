import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { line } from '../helpers/server/ledger-lines.ts';
import { runCli } from '../helpers/server/run-cli.ts';
import { makeDataDir, readLines } from '../helpers/server/server-app.ts';
import { expectKept, readTotal } from '../helpers/server/server-check.ts';
import { makeLoad, startLoad, untilAcked } from '../helpers/server/server-load.ts';
import { startServer } from '../helpers/server/server-process.ts';

const ROUNDS = 2;
const LINES = 20_000;
const VISIT = '019c1234-5678-7abc-8def-00000000cafe';

test(`clicks forget, killed ${ROUNDS} times while a server writes: nothing else is lost or changed`, async () => {
  const dataDir = makeDataDir();
  const ledger = join(dataDir, 'clicks.jsonl');
  const old = Array.from({ length: LINES }, (_, n) =>
    line(n, n % 2 === 0 ? { visit_id: VISIT } : {}),
  );
  writeFileSync(ledger, old.map((text) => `${text}\n`).join(''));
  const server = await startServer({ dataDir });
  const load = makeLoad();
  const stop = startLoad(server.url, load);
  await untilAcked(load, 100);
  const args = ['cli/clicks.ts', 'forget', '--visit', VISIT];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    // From the first journal on, so that the kill meets the writing.
    while (!existsSync(join(dataDir, 'clicks.forget.json')) && child.exitCode === null)
      await wait(1);
    await wait(Math.random() * 20);
    child.kill('SIGKILL');
    await ended;
  }
  const { err } = await runCli('clicks.ts', args.slice(1), { DATA_DIR: dataDir });
  expect(err).not.toContain('Error');
  await untilAcked(load, 100);
  await stop();
  const stored = await expectKept(ledger, load);
  expect(stored).toBe(await readTotal(server.url));
  expect(readFileSync(ledger, 'latin1').includes(VISIT)).toBe(false);
  const lines = readFileSync(ledger, 'utf8').split('\n').slice(0, LINES);
  expect(lines.filter((_, n) => n % 2 === 1)).toEqual(old.filter((_, n) => n % 2 === 1));
  expect(readLines(ledger).filter((one) => 'forgotten_at' in one)).toHaveLength(LINES / 2);
  expect([...load.others]).toEqual([]);
});
