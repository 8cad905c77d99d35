/** Starts a Redis for tests, without files. */
import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../server/local-server.ts';
import { endDaemon, findProgram, makeDaemonDir, spawnDaemon } from './daemon.ts';

export const findRedis = () => findProgram('/usr/bin/redis-server', '/usr/local/bin/redis-server');

/** @throws when Redis is not installed */
export async function startRedis() {
  const program = findRedis();
  if (!program) throw new Error('Redis is missing. Run npm run test:install');
  const folder = makeDaemonDir('redis');
  const port = await freePort();
  const start = () =>
    spawnDaemon(program, [
      ...['--port', String(port), '--bind', '127.0.0.1', '--dir', folder.path],
      ...['--save', '', '--appendonly', 'no'],
    ]);
  let child = start();
  await untilReady(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    kill: () => endDaemon(child, 'SIGKILL'),
    /** Stops the process: connections stay open, without answers. */
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    async restart() {
      child = start();
      await untilReady(port);
    },
    async remove() {
      await endDaemon(child, 'SIGKILL');
      folder.remove();
    },
  };
}

async function untilReady(port: number): Promise<void> {
  for (;;) {
    const client = new Redis({ port, lazyConnect: true, retryStrategy: () => null });
    client.on('error', () => {});
    const ready = await client.ping().then(
      () => true,
      () => false,
    );
    client.disconnect();
    if (ready) return;
    await wait(30);
  }
}
