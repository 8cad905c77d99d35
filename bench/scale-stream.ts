/** Counts what the stream has, over one open connection. */
import { globSync, statSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { STREAM } from '../server/clicks/stream/nats-stream.ts';
import type { startNats } from '../tests/helpers/cluster/nats.ts';

type Nats = Awaited<ReturnType<typeof startNats>>;

const LOOK_MS = 20;
const LIMIT_MS = 600_000;

export async function openCounter({ servers, messages, nodes }: Nats) {
  const connection = await connect({ servers, maxReconnectAttempts: -1 });
  const manager = await jetstreamManager(connection, { timeout: 1000 });
  /** Null while the leader is away, and before there is a stream. */
  const state = () =>
    manager.streams.info(STREAM).then(
      (info) => info.state,
      () => null,
    );
  /** Resolves when it has as many lines. @throws (rejects) after ten minutes */
  const untilLines = async (lines: number) => {
    for (const limit = Date.now() + LIMIT_MS; ; await wait(LOOK_MS)) {
      const has = (await state())?.messages ?? 0;
      if (has >= lines) return;
      if (Date.now() > limit) throw new Error(`The stream has ${has} of ${lines} lines`);
    }
  };
  return {
    /** Number of lines; null: not known now. */
    lines: async () => (await state())?.messages ?? null,
    untilLines,
    /** Notes the number of lines from that moment on. @param from milliseconds since 1970 */
    watch(from: number) {
      const seen: { at: number; lines: number }[] = [];
      let running = true;
      const watching = (async () => {
        await wait(Math.max(0, from - Date.now()));
        for (; running; await wait(LOOK_MS)) {
          const has = (await state())?.messages;
          if (has !== undefined) seen.push({ at: Date.now(), lines: has });
        }
      })();
      return {
        /** @returns milliseconds from that moment until the stream had as many lines */
        async untilLines(lines: number): Promise<number> {
          await untilLines(lines);
          running = false;
          await watching;
          return (seen.find((one) => one.lines >= lines)?.at ?? Date.now()) - from;
        },
      };
    },
    /** @returns how often each id is there */
    ids: async () => tally((await messages()).map(({ id }) => id)),
    /** Bytes on the disk of the fullest node. */
    storeBytes: () => Math.max(...nodes.map(({ store }) => folderBytes(store))),
    close: () => connection.close(),
  };
}

export function tally(ids: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** Blocks on the disk, because NATS reserves room in its files. */
function folderBytes(folder: string): number {
  const sizes = globSync(`${folder}/**/*`).map(
    (path) => statSync(path, { throwIfNoEntry: false })?.blocks ?? 0,
  );
  return sizes.reduce((sum, blocks) => sum + blocks * 512, 0);
}
