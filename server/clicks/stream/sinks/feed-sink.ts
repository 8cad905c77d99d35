/** Feeds a sink from the stream. JetStream remembers per name how far the sink is. */
import { setTimeout as sleep } from 'node:timers/promises';
import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { apisOf, clickIdOf, connectTo, fetchPart, ledgerIdOf, STREAM } from '../nats-stream.ts';
import type { StreamAddress } from '../stream-address.ts';
import type { Sink, SinkLine } from './sink.ts';

/** Lines of one write. */
const BATCH_LINES = 500;
/** Waits this long for further lines before a smaller batch is written. */
const GATHER_MS = 1_000;
/** Between two attempts while the stream is away. */
const PAUSE_MS = 5_000;

export interface Feed {
  address: StreamAddress;
  /** Letters, digits and dashes. Each name gets every line. */
  name: string;
  sink: Sink;
  /** Ends the work between two batches. */
  signal: AbortSignal;
  /** Ends when the sink has every line that the stream has. */
  once: boolean;
  onWritten(lines: number): void;
  /** Told when the stream does not answer. The feed tries again. */
  onFault(message: string): void;
}

/** @throws (rejects) if the sink fails, or the stream at the start. Start it again: it goes on behind the last batch that the sink has */
export async function feedSink(feed: Feed): Promise<void> {
  const { address, name, sink, signal, once, onWritten } = feed;
  const connection = await connectTo(address);
  try {
    const { manager, client } = await apisOf(connection);
    await manager.consumers.add(STREAM, {
      durable_name: name,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      max_ack_pending: BATCH_LINES,
    });
    const consumer = await client.consumers.get(STREAM, name);
    while (!signal.aborted) {
      const batch = await nextBatch(consumer, feed);
      if (batch.length > 0) {
        await sink.write(batch.map(toLine));
        await Promise.all(batch.map((message) => message.ackAck()));
        onWritten(batch.length);
      } else if (once && (await consumer.info()).num_pending === 0) return;
    }
  } finally {
    await connection.close();
  }
}

/** @returns no lines if there are none now @throws (rejects) if the stream does not answer, and the feed is to end */
async function nextBatch(consumer: Consumer, { once, signal, onFault }: Feed): Promise<JsMsg[]> {
  try {
    return await fetchPart(consumer, { messages: BATCH_LINES, patienceMs: GATHER_MS });
  } catch (cause) {
    if (once) throw cause;
    onFault((cause as Error).message);
    await sleep(PAUSE_MS, undefined, { signal }).catch(() => {});
    return [];
  }
}

function toLine(message: JsMsg): SinkLine {
  return {
    id: clickIdOf(message.headers),
    ledgerId: ledgerIdOf(message.subject),
    sequence: message.seq,
    text: message.string(),
  };
}
