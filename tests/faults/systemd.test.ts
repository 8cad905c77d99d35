/** The units, as systemd reads them, and the server's messages to it on a real datagram socket. systemd itself is not started. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../helpers/server/server-process.ts';

/** Prints each message as a line, after an empty line when the socket is there. Debian's smallest Python has no JSON. */
const RECEIVER = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print(flush=True)
while True: print(s.recv(65536).decode(), flush=True)`;

async function startReceiver() {
  const folder = mkdtempSync(join(tmpdir(), 'systemd-'));
  const socket = join(folder, 'notify');
  const receiver = spawn('python3', ['-c', RECEIVER, socket], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    receiver.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const messages: string[] = [];
  const lines = createInterface({ input: receiver.stdout });
  lines.on('line', (line) => messages.push(line));
  const ended = once(receiver, 'close').then(() => Promise.reject(new Error('Python ended.')));
  await Promise.race([once(lines, 'line'), ended]);
  ended.catch(() => {});
  const count = (message: string) => messages.filter((it) => it === message).length;
  return { socket, messages, count };
}

test('systemd learns when the server listens, that it is alive, and that it stops', async () => {
  const { socket, messages, count } = await startReceiver();
  const server = await startServer({
    env: { NOTIFY_SOCKET: socket, WATCHDOG_USEC: '300000' },
  });
  await expect.poll(() => count('WATCHDOG=1')).toBeGreaterThan(3);
  expect(count('READY=1')).toBe(1);
  expect(messages).toContain(`STATUS=Listening at ${server.url}`);

  expect(await server.stop('SIGTERM')).toBe(0);
  await expect.poll(() => count('STOPPING=1')).toBe(1);
  expect(messages.indexOf('READY=1')).toBeLessThan(messages.indexOf('WATCHDOG=1'));
});

test('systemd finds no fault in the units', () => {
  const folder = mkdtempSync(join(tmpdir(), 'units-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const units = globSync('deploy/systemd/*.{service,timer}').map((file) => {
    const unit = join(folder, basename(file).replace('@.', '@3001.'));
    // The programs in the units must exist. This checkout has the same.
    writeFileSync(unit, readFileSync(file, 'utf8').replaceAll('/srv/site', process.cwd()));
    return unit;
  });
  expect(units).not.toEqual([]);
  const { stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
    encoding: 'utf8',
  });
  // It also reports other units of the machine.
  const faults = `${stdout}${stderr}`.split('\n').filter((line) => /\bsite\b|site[@-]/.test(line));
  expect(faults).toEqual([]);
});
