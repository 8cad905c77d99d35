/** Starts a NATS cluster with JetStream for tests. */
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { clickIdOf, messagesUpTo } from '../../../server/clicks/stream/nats-stream.ts';
import { freePort } from '../server/local-server.ts';
import { endDaemon, findProgram, makeDaemonDir, spawnDaemon } from './daemon.ts';

export const findNats = () => findProgram('/usr/sbin/nats-server', '/usr/local/bin/nats-server');

/** A host of a node. */
export interface NatsHost {
  address: string;
  /** Starts a process on this host. */
  spawn(command: string, args: string[]): ChildProcess;
}

const HERE: NatsHost = { address: '127.0.0.1', spawn: spawnDaemon };

/** @throws when NATS is not installed */
export async function startNats(hosts: readonly NatsHost[] = [HERE, HERE, HERE]) {
  const program = findNats();
  if (!program) throw new Error('NATS is missing. Run npm run test:install');
  const folder = makeDaemonDir('nats');
  const places = await Promise.all(
    hosts.map(async (host) => ({ ...host, port: await freePort(), route: await freePort() })),
  );
  const routes = places.map(({ address, route }) => `nats://${address}:${route}`);
  const stores = places.map((_, i) => join(folder.path, `store-${i}`));
  const nodes = places.map(({ address, port, spawn }, i) => {
    const store = stores[i] ?? '';
    const args = [
      ...['-c', resolve('deploy/nats/node.conf'), '-n', `n${i}`],
      ...['-a', address, '-p', String(port), '-sd', store],
      ...['--cluster', routes[i] ?? '', '--routes', routes.join(',')],
    ];
    let child = spawn(program, args);
    return {
      kill: () => endDaemon(child, 'SIGKILL'),
      /** Stops the process: connections stay open, without answers. */
      freeze: () => child.kill('SIGSTOP'),
      thaw: () => child.kill('SIGCONT'),
      restart() {
        child = spawn(program, args);
      },
      store,
      deleteStore: () => rmSync(store, { recursive: true, force: true }),
    };
  });
  const servers = places.map(({ address, port }) => `${address}:${port}`);
  return {
    servers,
    url: `nats://${servers.join(',')}`,
    nodes,
    /** The nodes' folders. */
    stores,
    /** Every message of the stream, in its order. */
    messages: () => untilAnswered(() => readMessages(servers)),
    /** Waits for the node that leads the stream. */
    leader: () => untilAnswered(() => leaderOf(servers, nodes)),
    async remove() {
      await Promise.all(nodes.map((node) => node.kill()));
      folder.remove();
    },
  };
}

async function readMessages(servers: string[]) {
  const connection = await connect({ servers });
  try {
    const manager = await jetstreamManager(connection);
    const { state } = await manager.streams.info('clicks');
    const found: { subject: string; id: string; text: string }[] = [];
    if (state.messages === 0) return found;
    const consumer = await jetstream(connection).consumers.get('clicks');
    for await (const message of messagesUpTo(consumer, state.last_seq)) {
      const { subject, headers } = message;
      found.push({ subject, id: clickIdOf(headers), text: message.string() });
    }
    return found;
  } finally {
    await connection.close();
  }
}

async function leaderOf<N>(servers: string[], nodes: N[]): Promise<N> {
  const connection = await connect({ servers });
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
