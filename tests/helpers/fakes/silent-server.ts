/** A fake of a dead machine: connection attempts get no answer, not even a refusal. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { freePort } from '../server/local-server.ts';

/** Length of the accept queue, which has room for one more. The kernel does not answer further connections. */
const BACKLOG = 1;

/** @returns its port */
export async function startSilentServer(): Promise<number> {
  const port = await freePort();
  const listen = `require('net').createServer().listen({ port: ${port}, host: '127.0.0.1', backlog: ${BACKLOG} }, () => console.log('listens'))`;
  const child = spawn(process.execPath, ['-e', listen], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  while (!/\) T /.test(readFileSync(`/proc/${child.pid}/stat`, 'utf8'))) await wait(5);
  for (let n = 0; n <= BACKLOG; n += 1) {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
  }
  return port;
}
