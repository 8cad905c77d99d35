/** Starts a NATS cluster with JetStream for tests. */
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { freePort } from '../server/local-server.ts';
import { endDaemon, findProgram, makeDaemonDir, spawnDaemon } from './daemon.ts';

export const findNats = () => findProgram('/usr/sbin/nats-server', '/usr/local/bin/nats-server');

/** @throws when NATS is not installed */
export async function startNats(size = 3) {
  const program = findNats();
  if (!program) throw new Error('NATS is missing. Run npm run test:install');
  const folder = makeDaemonDir('nats');
  const ports = await Promise.all(Array.from({ length: size * 2 }, freePort));
  const [clients, routes] = [ports.slice(0, size), ports.slice(size)];
  const nodes = clients.map((port, i) => {
    const store = join(folder.path, `store-${i}`);
    const start = () => spawnDaemon(program, optionsOf({ i, port, routes, store }));
    let child = start();
    return {
      kill: () => endDaemon(child, 'SIGKILL'),
      restart() {
        child = start();
      },
      deleteStore: () => rmSync(store, { recursive: true, force: true }),
    };
  });
  const servers = clients.map((port) => `127.0.0.1:${port}`);
  return {
    servers,
    url: `nats://${servers.join(',')}`,
    nodes,
    /** Every message of the stream, in its order. */
    messages: () => untilAnswered(() => readMessages(clients)),
    /** Waits for the node that leads the stream. */
    leader: () => untilAnswered(() => leaderOf(clients, nodes)),
    async remove() {
      await Promise.all(nodes.map((node) => node.kill()));
      folder.remove();
    },
  };
}

/** The command line that deploy/nats/node.conf describes. */
function optionsOf(node: { i: number; port: number; routes: number[]; store: string }): string[] {
  const routes = node.routes.map((port) => `nats://127.0.0.1:${port}`);
  return [
    ...['-c', resolve('deploy/nats/node.conf'), '-n', `n${node.i}`],
    ...['-a', '127.0.0.1', '-p', String(node.port), '-sd', node.store],
    ...['--cluster', routes[node.i] ?? '', '--routes', routes.join(',')],
  ];
}

const open = (ports: number[]) => connect({ servers: ports.map((port) => `127.0.0.1:${port}`) });

async function readMessages(ports: number[]) {
  const connection = await open(ports);
  try {
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info('clicks');
    const found: { subject: string; id: string; text: string }[] = [];
    if (state.messages === 0) return found;
    const consumer = await jetstream(connection).consumers.get('clicks');
    for await (const message of await consumer.consume()) {
      const id = message.headers?.get('Nats-Msg-Id') ?? '';
      found.push({ subject: message.subject, id, text: message.string() });
      if (message.seq >= state.last_seq) break;
    }
    return found;
  } finally {
    await connection.close();
  }
}

async function leaderOf<N>(ports: number[], nodes: N[]): Promise<N> {
  const connection = await open(ports);
  try {
    const manager = await jetstreamManager(connection, { timeout: 1000 });
    const { cluster } = await manager.streams.info('clicks');
    const node = nodes[Number(cluster?.leader?.slice(1))];
    if (!node) throw new Error('The stream has no leader now.');
    return node;
  } finally {
    await connection.close();
  }
}

/** Tries again while an election is under way. */
async function untilAnswered<T>(ask: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + 60_000; ; await wait(100)) {
    try {
      return await ask();
    } catch (cause) {
      if (Date.now() > until) throw cause;
    }
  }
}
