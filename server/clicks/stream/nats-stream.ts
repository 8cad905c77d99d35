/**
 * The stream in NATS JetStream: one stream for all ledgers, with one subject per ledger, so that each ledger's lines keep their
 * order. A message is one line. Its id is the click's, so that JetStream itself leaves out a line that is sent twice.
 */
import {
  type Consumer,
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
import { within } from './within.ts';

export const STREAM = 'clicks';
export const AFTER = 'Ledger-After';
const ID = 'Nats-Msg-Id';
/** How long JetStream remembers ids. Longer doubts are settled by `kept`. */
const DUPLICATE_WINDOW_MS = 2 * 60 * 1000;
/** Copies of each line, as many as the URL names servers. JetStream takes up to five. */
const MAX_REPLICAS = 5;
/** Time for one answer. A quorum needs about a millisecond, a new leader a few seconds. */
export const ANSWER_MS = 5_000;

/** Time for a node that is there to say so. */
const PONG_MS = 1_000;

/**
 * Connects. The stream is made with the first question if it is missing.
 *
 * @param ledgerId UUID among the ledgers of all servers
 * @throws (rejects) if no server answers
 */
export async function openNatsStream(
  address: StreamAddress,
  ledgerId: string,
): Promise<ClickStream> {
  // After a lost connection the stream may be another one, so the client must not reconnect by itself.
  const connection = await connectTo(address, { reconnect: false });
  const { manager, client } = await apisOf(connection);
  const subject = subjectOf(ledgerId);
  return {
    kept: () => readKept(manager, subject, address.servers.length),
    append: (lines, confirmed) => append(client, subject, lines, confirmed),
    isAlive: () =>
      within(PONG_MS, connection.flush()).then(
        () => true,
        () => false,
      ),
    closed: connection.closed().then(() => {}),
    close: () => connection.close(),
  };
}

export const subjectOf = (ledgerId: string): string => `${STREAM}.${ledgerId}`;
export const ledgerIdOf = (subject: string): string => subject.slice(STREAM.length + 1);

/** Reconnects by itself for ever, unless `options` say otherwise. */
export function connectTo(
  address: StreamAddress,
  options: { reconnect?: boolean } = {},
): Promise<NatsConnection> {
  const own = { name: 'site', maxReconnectAttempts: -1, timeout: ANSWER_MS };
  return connect({ ...address, ...own, ...options });
}

/** Each question has a limit. None is asked now, because only the cluster's metadata leader could answer. */
export async function apisOf(connection: NatsConnection) {
  const options = { timeout: ANSWER_MS, checkAPI: false };
  const manager: JetStreamManager = await jetstreamManager(connection, options);
  const client: JetStreamClient = jetstream(connection, options);
  return { manager, client };
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
  // NATS has seen the id before, and does not know yet whether a quorum has the line.
  if (answers.some(({ seq }) => seq === 0)) throw new Error('a line is in doubt');
  return Math.max(sequence, ...answers.map(({ seq }) => seq));
}

/** Asks the stream's leader, because another node's copy may be older. */
async function readKept(
  manager: JetStreamManager,
  subject: string,
  servers: number,
): Promise<Kept> {
  const last = await readLast(manager, subject, servers);
  const confirmed = confirmedIn(last?.header);
  const later = new Set<string>();
  // A last message may be missing although there are others: NATS 2.9 finds none after the last one was deleted.
  for (let sequence = confirmed.sequence; sequence < (last?.seq ?? Number.POSITIVE_INFINITY); ) {
    const next = { seq: sequence + 1, next_by_subj: subject };
    const message = await manager.streams.getMessage(STREAM, next);
    if (!message) break;
    later.add(clickIdOf(message.header));
    sequence = message.seq;
  }
  return { confirmed, later };
}

/** Makes the stream if it is missing. That takes the cluster's metadata leader, whose election may take half a minute. */
async function readLast(manager: JetStreamManager, subject: string, servers: number) {
  const ask = () => manager.streams.getMessage(STREAM, { last_by_subj: subject });
  try {
    return await ask();
  } catch {
    await makeStream(manager, servers);
    return ask();
  }
}

const REPLACED = '.forgotten.';

/** The id of a message that replaces another one. Not the click's alone, because NATS leaves out an id that it has. */
export const replacementId = (id: string, sequence: number): string =>
  `${id}${REPLACED}${sequence}`;

/** @returns the id of the message's click, or its place in the ledger */
export const clickIdOf = (own: MsgHdrs | undefined): string =>
  own?.get(ID).split(REPLACED)[0] ?? '';

/** Messages of one request. */
const FETCH_MESSAGES = 500;
/** Upper bound for a part, because the client's own request waits for ever while the connection is lost. */
const FETCH_MS = ANSWER_MS;

/** @throws (rejects) if the stream stops to answer before that sequence */
export async function* messagesUpTo(
  consumer: Consumer,
  lastSequence: number,
): AsyncGenerator<JsMsg> {
  for (let sequence = 0; sequence < lastSequence; ) {
    const asked = { messages: FETCH_MESSAGES, patienceMs: ANSWER_MS, lastSequence };
    const part = await fetchPart(consumer, asked);
    // The last messages may have been deleted.
    if (part.length === 0 && (await consumer.info()).num_pending === 0) return;
    if (part.length === 0) throw new Error('The stream does not send its lines.');
    yield* part;
    sequence = part.at(-1)?.seq ?? 0;
  }
}

interface Asked {
  messages: number;
  /** A part with fewer messages ends after this. At least a second. */
  patienceMs: number;
  /** Ends the part at once. */
  lastSequence?: number;
}

/** @throws (rejects) if the stream does not answer */
export async function fetchPart(
  consumer: Consumer,
  { messages, patienceMs, lastSequence = Number.POSITIVE_INFINITY }: Asked,
): Promise<JsMsg[]> {
  const fetched = await consumer.fetch({ max_messages: messages, expires: patienceMs });
  const late = new Error('The stream does not answer.');
  const timer = setTimeout(() => fetched.stop(late), patienceMs + FETCH_MS);
  const part: JsMsg[] = [];
  try {
    for await (const message of fetched) {
      part.push(message);
      if (message.seq >= lastSequence) break;
    }
    return part;
  } finally {
    clearTimeout(timer);
  }
}

function confirmedIn(own: MsgHdrs | undefined): Confirmed {
  const [first, offset, sequence] = own?.get(AFTER).split(' ') ?? [];
  if (!first) return { position: null, sequence: 0 };
  // Without an inode: another machine may read a copy of the ledger.
  const position = { first, offset: Number(offset), file: '' };
  return { position, sequence: Number(sequence) };
}
