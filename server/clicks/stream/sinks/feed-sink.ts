/** Feeds a sink from the stream. JetStream remembers per name how far the sink is. */
import {
  AckPolicy,
  DeliverPolicy,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { connectTo, ID, STREAM } from '../nats-stream.ts';
import type { StreamAddress } from '../stream-address.ts';
import type { Sink, SinkLine } from './sink.ts';

/** Lines of one write. */
const BATCH_LINES = 500;
/** Waits this long for further lines before a smaller batch is written. */
const GATHER_MS = 1_000;

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
}

/** @throws (rejects) if the stream or the sink fails. Start it again: it goes on behind the last batch that the sink has */
export async function feedSink(feed: Feed): Promise<void> {
  const { address, name, sink, signal, once, onWritten } = feed;
  const connection = await connectTo(address);
  try {
    const manager = await jetstreamManager(connection);
    await manager.consumers.add(STREAM, {
      durable_name: name,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      max_ack_pending: BATCH_LINES,
    });
    const consumer = await jetstream(connection).consumers.get(STREAM, name);
    while (!signal.aborted) {
      const batch = await Array.fromAsync(
        await consumer.fetch({ max_messages: BATCH_LINES, expires: GATHER_MS }),
      );
      if (batch.length > 0) {
        await sink.write(batch.map(toLine));
        await Promise.all(batch.map((message) => message.ackAck()));
        onWritten(batch.length);
      } else if (once) return;
    }
  } finally {
    await connection.close();
  }
}

function toLine(message: JsMsg): SinkLine {
  return {
    id: message.headers?.get(ID) ?? '',
    ledgerId: message.subject.slice(STREAM.length + 1),
    sequence: message.seq,
    text: message.string(),
  };
}
