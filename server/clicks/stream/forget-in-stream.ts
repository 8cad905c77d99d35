/**
 * Forgets a visitor's clicks in the stream. A tombstone replaces each line, as in the ledger: first NATS gets the tombstone, then it
 * overwrites the line on every node. In this order the stream always has a last message of each ledger, which says where the server
 * goes on.
 */
import { DeliverPolicy, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { headers } from '@nats-io/transport-node';
import { makeQuickTest } from '../forget/find-clicks.ts';
import {
  type FoundClick,
  isWanted,
  readFound,
  tombstoneOf,
  type Wanted,
} from '../forget/wanted.ts';
import {
  AFTER,
  apisOf,
  connectTo,
  ledgerIdOf,
  messagesUpTo,
  replacementId,
  STREAM,
  subjectOf,
} from './nats-stream.ts';
import type { StreamAddress } from './stream-address.ts';

export interface StreamedClick {
  /** UUID of the ledger, one per server. */
  ledgerId: string;
  sequence: number;
  click: FoundClick;
}

export interface StreamedClicks {
  clicks: StreamedClick[];
  /** The last sequence that was looked at. */
  last: number;
}

export interface StreamForgetter {
  /** Finds the visitor's lines with a greater sequence. @throws (rejects) if the stream does not answer */
  find(wanted: Wanted, after: number): Promise<StreamedClicks>;
  /**
   * Replaces these lines.
   *
   * @param now ISO 8601
   * @throws (rejects) if the stream does not answer; another run finds the lines that are left
   */
  bury(found: readonly StreamedClick[], now: string): Promise<void>;
  close(): Promise<void>;
}

/** @throws (rejects) if no server answers */
export async function openStreamForgetter(address: StreamAddress): Promise<StreamForgetter> {
  const connection = await connectTo(address);
  try {
    const { manager, client } = await apisOf(connection);
    return {
      find: (wanted, after) => find(manager, client, wanted, after),
      async bury(found, now) {
        for (const one of found) await buryOne(manager, client, one, now);
      },
      close: () => connection.close(),
    };
  } catch (cause) {
    await connection.close();
    throw cause;
  }
}

async function find(
  manager: JetStreamManager,
  client: JetStreamClient,
  wanted: Wanted,
  after: number,
): Promise<StreamedClicks> {
  const { state } = await manager.streams.info(STREAM);
  const clicks: StreamedClick[] = [];
  if (state.messages === 0 || state.last_seq <= after) return { clicks, last: state.last_seq };
  const consumer = await client.consumers.get(STREAM, {
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: after + 1,
  });
  const mayBe = makeQuickTest(wanted);
  for await (const message of messagesUpTo(consumer, state.last_seq)) {
    if (!mayBe(Buffer.from(message.data))) continue;
    const click = readFound(message.string());
    if (click && isWanted(click, wanted))
      clicks.push({ ledgerId: ledgerIdOf(message.subject), sequence: message.seq, click });
  }
  return { clicks, last: state.last_seq };
}

async function buryOne(
  manager: JetStreamManager,
  client: JetStreamClient,
  { ledgerId, sequence, click }: StreamedClick,
  now: string,
): Promise<void> {
  const subject = subjectOf(ledgerId);
  // The place of the last message is true for the tombstone too: the server ships on from there after a restart.
  const last = await manager.streams.getMessage(STREAM, { last_by_subj: subject });
  const own = headers();
  own.set(AFTER, last?.header.get(AFTER) ?? '');
  const msgID = replacementId(click.id, sequence);
  await client.publish(subject, tombstoneOf(click, now), { msgID, headers: own });
  await manager.streams.deleteMessage(STREAM, sequence);
}
