/** Reads all lines of the stream, in the order of each ledger. */
import { apisOf, connectTo, ledgerIdOf, messagesUpTo, STREAM } from './nats-stream.ts';
import type { StreamAddress } from './stream-address.ts';

export interface ShippedLine {
  ledgerId: string;
  text: string;
}

/**
 * Reads up to the line that is the last one at the beginning. Memory does not grow with the stream.
 *
 * @throws (rejects) if no server answers, or there is no stream
 */
export async function* readStream(address: StreamAddress): AsyncGenerator<ShippedLine> {
  const connection = await connectTo(address);
  try {
    const { manager, client } = await apisOf(connection);
    const { state } = await manager.streams.info(STREAM);
    if (state.messages === 0) return;
    const consumer = await client.consumers.get(STREAM);
    for await (const message of messagesUpTo(consumer, state.last_seq))
      yield { ledgerId: ledgerIdOf(message.subject), text: message.string() };
  } finally {
    await connection.close();
  }
}
