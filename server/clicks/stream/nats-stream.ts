/**
 * The stream in NATS JetStream: one stream for all ledgers, with one subject per ledger, so that each ledger's lines keep their
 * order. A message is one line. Its id is the click's, so that JetStream itself leaves out a line that is sent twice.
 */
import {
  type Consumer,
  DeliverPolicy,
  DiscardPolicy,
  type JetStreamClient,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import {
  connect,
  headers,
  type MsgHdrs,
  type NatsConnection,
  nanos,
} from '@nats-io/transport-node';
import type { ClickStream, Confirmed, Kept, StreamLine } from './click-stream.ts';
import type { StreamAddress } from './stream-address.ts';

export const STREAM = 'clicks';
const AFTER = 'Ledger-After';
export const ID = 'Nats-Msg-Id';
/** How long JetStream remembers ids. Longer doubts are settled by `kept`. */
const DUPLICATE_WINDOW_MS = 2 * 60 * 1000;
/** Copies of each line, as many as the URL names servers. JetStream takes up to five. */
const MAX_REPLICAS = 5;
/** Time for one answer. A quorum needs about a millisecond, a new leader a few seconds. */
const ANSWER_MS = 5_000;

/**
 * Connects, and makes the stream where it is missing. Reconnects by itself for ever.
 *
 * @param ledgerId UUID among the ledgers of all servers
 * @throws (rejects) if no server answers, or the servers cannot make the stream
 */
export async function openNatsStream(
  address: StreamAddress,
  ledgerId: string,
): Promise<ClickStream> {
  const connection = await connectTo(address);
  const manager = await jetstreamManager(connection, { timeout: ANSWER_MS });
  await makeStream(manager, address.servers.length);
  const client = jetstream(connection, { timeout: ANSWER_MS });
  const subject = subjectOf(ledgerId);
  return {
    kept: () => readKept(manager, client, subject),
    append: (lines, confirmed) => append(client, subject, lines, confirmed),
    close: () => connection.close(),
  };
}

export const subjectOf = (ledgerId: string): string => `${STREAM}.${ledgerId}`;

export function connectTo(address: StreamAddress): Promise<NatsConnection> {
  return connect({ ...address, name: 'site', maxReconnectAttempts: -1, timeout: ANSWER_MS });
}

async function makeStream(manager: JetStreamManager, servers: number): Promise<void> {
  await manager.streams.add({
    name: STREAM,
    subjects: [`${STREAM}.*`],
    storage: StorageType.File,
    num_replicas: Math.min(servers, MAX_REPLICAS),
    retention: RetentionPolicy.Limits,
    // A full stream rejects lines; it never drops old ones.
    discard: DiscardPolicy.New,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
  });
}

async function append(
  client: JetStreamClient,
  subject: string,
  lines: readonly StreamLine[],
  { position, sequence }: Confirmed,
): Promise<number> {
  const after = position ? `${position.first} ${position.offset} ${sequence}` : '';
  const answers = await Promise.all(
    lines.map(({ id, text }) => {
      const own = headers();
      own.set(AFTER, after);
      return client.publish(subject, text, { msgID: id, headers: own });
    }),
  );
  return Math.max(sequence, ...answers.map(({ seq }) => seq));
}

async function readKept(
  manager: JetStreamManager,
  client: JetStreamClient,
  subject: string,
): Promise<Kept> {
  // Asks the leader, because another server's copy may be older.
  const last = await manager.streams.getMessage(STREAM, { last_by_subj: subject });
  const confirmed = confirmedIn(last?.header);
  const later = new Set<string>();
  if (!last || last.seq <= confirmed.sequence) return { confirmed, later };
  const consumer = await client.consumers.get(STREAM, {
    filter_subjects: subject,
    deliver_policy: DeliverPolicy.StartSequence,
    opt_start_seq: confirmed.sequence + 1,
    headers_only: true,
  });
  for await (const { headers } of messagesUpTo(consumer, last.seq)) {
    later.add(headers?.get(ID) ?? '');
  }
  return { confirmed, later };
}

/** Messages of one request. */
const FETCH_MESSAGES = 500;

/** @throws (rejects) if the stream stops to answer before that sequence */
export async function* messagesUpTo(
  consumer: Consumer,
  lastSequence: number,
): AsyncGenerator<JsMsg> {
  for (let sequence = 0; sequence < lastSequence; ) {
    const before = sequence;
    const fetched = await consumer.fetch({ max_messages: FETCH_MESSAGES, expires: ANSWER_MS });
    for await (const message of fetched) {
      yield message;
      sequence = message.seq;
      if (sequence >= lastSequence) return;
    }
    if (sequence === before) throw new Error('The stream does not send its lines.');
  }
}

function confirmedIn(own: MsgHdrs | undefined): Confirmed {
  const [first, offset, sequence] = own?.get(AFTER).split(' ') ?? [];
  if (!first) return { position: null, sequence: 0 };
  // Without an inode: another machine may read a copy of the ledger.
  const position = { first, offset: Number(offset), file: '' };
  return { position, sequence: Number(sequence) };
}
