import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDataDir } from '../helpers/server/server-app.ts';
import { makeDist } from '../helpers/server/server-dist.ts';

/** Runs the real process until it ends by itself. */
function start(env: Record<string, string>, dist = makeDist()) {
  const { status, stderr } = spawnSync(process.execPath, ['server/main.js', dist], {
    encoding: 'utf8',
    env: {
      ...process.env,
      DATA_DIR: makeDataDir(),
      ...env,
    },
  });
  return { status, stderr };
}

test('an invalid environment ends the start with every fault', () => {
  expect(start({ PORT: 'x', LOG_LEVEL: 'loud' })).toEqual({
    status: 1,
    stderr:
      "The server's environment is not valid (see .env.example):\n" +
      '  PORT must be a whole number from 0 to 65535\n' +
      '  LOG_LEVEL must be debug, info, warn, error or silent\n',
  });
});

test('a missing build ends the start with the command to run', () => {
  const { status, stderr } = start({}, '/nowhere');
  expect(status).toBe(1);
  expect(stderr).toBe('There is no complete build in /nowhere. Run `npm run build` first.\n');
});

test('an address that is not ours, or a port in use, ends the start with the remedy', async () => {
  const away = start({ HOST: '203.0.113.1' });
  expect(away).toEqual({
    status: 1,
    stderr:
      '203.0.113.1 is not an address of this machine (EADDRNOTAVAIL). Correct HOST: localhost, or 0.0.0.0 for all addresses.\n',
  });
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(start({ HOST: '127.0.0.1', PORT: String(port) })).toEqual({
    status: 1,
    stderr: `Another program listens on port ${port} of 127.0.0.1 (EADDRINUSE). Stop it, or choose another port, such as PORT=8080.\n`,
  });
}, 60_000);

test('a data folder that the server cannot use ends the start with the remedy', () => {
  const file = join(makeDataDir(), 'file');
  writeFileSync(file, '');
  for (const DATA_DIR of [file, join(file, 'below')])
    expect(start({ DATA_DIR })).toEqual({
      status: 1,
      stderr: `DATA_DIR (${DATA_DIR}) is a file, or is below one. Name a folder.\n`,
    });
}, 60_000);
