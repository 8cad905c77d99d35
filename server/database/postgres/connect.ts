/**
 * Finds the server of DATABASE_URL that takes writes, and checks the settings on which clicks rely.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Client, types } from 'pg';
import { SECOND_MS } from '../../time.ts';
import { DatabaseFault, nameOfDatabase } from '../database.ts';
import { describeFault, makeSharedSessionsFault, toFault } from './faults.ts';
import { hasSharedSessions } from './pooler.ts';
import type { Connection } from './session.ts';

/**
 * Timeout for opening a connection, and for the answer to each of its first statements. It is below
 * the 5 s after which browsers give up.
 */
const CONNECT_MS = 2 * SECOND_MS;
/**
 * Timeout for the other servers' answers, once one server has said that it takes writes.
 * Milliseconds.
 */
const OTHER_ANSWERS_TIMEOUT_MS = SECOND_MS;
/**
 * How much shorter PostgreSQL's `statement_timeout` is than the server's timeout, in milliseconds,
 * so that PostgreSQL does not go on with a statement for which nobody waits.
 */
const STATEMENT_MARGIN_MS = 500;
/**
 * How much shorter PostgreSQL's `lock_timeout` is than the server's timeout, in milliseconds. It is
 * the shortest, so that the error names the lock as the reason.
 */
const LOCK_MARGIN_MS = SECOND_MS;

// Parses int8 and numeric as numbers: times and counts are below 2^53. The driver would return
// strings.
for (const type of [types.builtins.INT8, types.builtins.NUMERIC]) types.setTypeParser(type, Number);

/**
 * Settings of each session. They are set by SQL, because poolers refuse them as start-up
 * parameters.
 */
const SESSION_SETTINGS = {
  search_path: 'site',
  // Warnings say that somebody has cancelled a wait for the standby.
  client_min_messages: 'warning',
  // If a server's machine has vanished, PostgreSQL ends its connection and releases its locks after
  // about a minute.
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
  // How long an open transaction of a vanished server can block others.
  idle_in_transaction_session_timeout: 10 * SECOND_MS,
};

export interface Limits {
  /** Timeout for the answer to a statement, in milliseconds. Absent: no timeout. */
  answerTimeoutMs?: number;
  /** Whether statements are sent without waiting for the answers to earlier ones. */
  pipeline?: boolean;
}

export type Connect = ReturnType<typeof createConnect>;

/**
 * Makes a function that connects to the server that takes writes.
 *
 * @param urls of a primary and its standbys
 */
export function createConnect(urls: readonly string[]) {
  let lastUrl: string | null = null;

  /**
   * Asks all servers at once, and keeps the connection to the one that takes writes.
   *
   * @throws (rejects with) a DatabaseFault, also if no server or more than one takes writes
   */
  return async (limits: Limits): Promise<Connection> => {
    const answering = urls.map((url) => askServer(url, limits));
    let used: Client | null = null;
    try {
      const chosen = chooseWriter(await collectAnswers(answering), lastUrl);
      await prepareSession(chosen, limits);
      lastUrl = chosen.url;
      used = chosen.client;
      return { client: used, name: nameOfDatabase(new URL(lastUrl)) };
    } finally {
      for (const one of answering) void one.then((answer) => closeUnused(answer, used));
    }
  };
}

function closeUnused({ client }: Answer | NoAnswer, used: Client | null): void {
  if (client && client !== used) client.end().catch(() => {});
}

/**
 * Applies the session's settings. Refuses a pooler's shared session, whose settings would reach
 * other clients.
 *
 * @throws (rejects with) a DatabaseFault
 */
async function prepareSession({ url, client, facts }: Answer, limits: Limits): Promise<void> {
  const name = nameOfDatabase(new URL(url));
  try {
    const openSecond = () => openClient(url, {});
    if (await hasSharedSessions(client, facts.pid, openSecond)) throw makeSharedSessionsFault(name);
    await client.query({ ...FIRST_QUERY_OPTIONS, text: makeSettingsSql(limits) });
  } catch (cause) {
    throw toFault(cause, name);
  }
}

function makeSettingsSql({ answerTimeoutMs }: Limits): string {
  const limits = answerTimeoutMs && {
    lock_timeout: answerTimeoutMs - LOCK_MARGIN_MS,
    statement_timeout: answerTimeoutMs - STATEMENT_MARGIN_MS,
  };
  const calls = Object.entries({ ...SESSION_SETTINGS, ...limits }).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  return `SELECT ${calls.join(', ')}`;
}

/** What a server reports about itself. Reading it does not change the session. */
interface ServerFacts {
  takesWrites: boolean;
  isStandby: boolean;
  encoding: string;
  pid: number;
  /** Start time and database name. It is equal for two addresses of the same database. */
  identity: string;
}

// Asks for `transaction_read_only` too: a primary with `default_transaction_read_only` takes no
// writes.
const READ_SERVER_FACTS = `
  SELECT
    current_setting('transaction_read_only') = 'off' AS "takesWrites",
    pg_is_in_recovery() AS "isStandby",
    current_setting('server_encoding') AS encoding,
    pg_backend_pid() AS pid,
    extract(epoch FROM pg_postmaster_start_time())::text || current_database() AS identity`;

interface Answer {
  url: string;
  client: Client;
  facts: ServerFacts;
}
interface NoAnswer {
  url: string;
  client: null;
  fault: DatabaseFault;
}

const FIRST_QUERY_OPTIONS = { query_timeout: CONNECT_MS };

/** Connects to a server and reads its facts. Never rejects: a failure is a NoAnswer. */
async function askServer(url: string, limits: Limits): Promise<Answer | NoAnswer> {
  let client: Client | null = null;
  try {
    client = await openClient(url, limits);
    const { rows } = await client.query({ ...FIRST_QUERY_OPTIONS, text: READ_SERVER_FACTS });
    return { url, client, facts: rows[0] };
  } catch (cause) {
    client?.end().catch(() => {});
    return { url, client: null, fault: toFault(cause, nameOfDatabase(new URL(url))) };
  }
}

async function openClient(connectionString: string, { answerTimeoutMs, pipeline = false }: Limits) {
  const client = new Client({
    connectionString,
    application_name: 'sma-data-drive',
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: answerTimeoutMs,
    pipeline,
  });
  // Without a handler, an error event would end the process. The next query reports the error.
  client.on('error', () => {});
  try {
    return await client.connect();
  } catch (cause) {
    client.end().catch(() => {});
    throw cause;
  }
}

/** Waits for all answers, but only OTHER_ANSWERS_MS after the first server that takes writes. */
async function collectAnswers(
  asking: Promise<Answer | NoAnswer>[],
): Promise<(Answer | NoAnswer)[]> {
  const answers: (Answer | NoAnswer)[] = [];
  const storeAnswer = async (one: Promise<Answer | NoAnswer>, i: number) => {
    answers[i] = await one;
  };
  const allAnswered = Promise.all(asking.map(storeAnswer));
  const first = Promise.any(
    asking.map(async (one) => {
      if (!isWriter(await one)) throw new Error('takes no writes');
    }),
  );
  const firstWriterTimeout = first.then(() =>
    wait(OTHER_ANSWERS_TIMEOUT_MS, undefined, { ref: false }),
  );
  await Promise.race([allAnswered, firstWriterTimeout.catch(() => allAnswered)]);
  // `flat` removes the empty places of servers that have not answered.
  return answers.flat();
}

const isAnswer = (one: Answer | NoAnswer): one is Answer => one.client !== null;
const isWriter = (one: Answer | NoAnswer): one is Answer => isAnswer(one) && one.facts.takesWrites;

/**
 * Returns the server that takes writes.
 *
 * @throws a DatabaseFault if there is none or more than one, or if its encoding is not UTF8
 */
function chooseWriter(answers: (Answer | NoAnswer)[], usedLast: string | null): Answer {
  const writers = answers.filter(isWriter);
  const [writer] = writers;
  if (!writer) throw faultWithoutWriter(answers, usedLast);
  const { encoding, identity } = writer.facts;
  if (writers.some(({ facts }) => facts.identity !== identity)) {
    const names = writers.map(({ url }) => nameOfDatabase(new URL(url))).join(' and ');
    throw new DatabaseFault(
      `PostgreSQL: ${names} both take writes, so each would have a part of the clicks. Stop the one that is no longer the primary.`,
      'two-primaries',
    );
  }
  if (encoding !== 'UTF8') {
    const text = `the database has the encoding ${encoding}, which lacks letters of visitors. Make one with ENCODING 'UTF8'.`;
    throw new DatabaseFault(describeFault(nameOfDatabase(new URL(writer.url)), text), 'encoding');
  }
  return writer;
}

/**
 * Makes the fault if no server takes writes. It is the error of the server that took writes last,
 * otherwise of the first server that failed, otherwise a list of what the servers are.
 */
function faultWithoutWriter(
  answers: (Answer | NoAnswer)[],
  usedLast: string | null,
): DatabaseFault {
  const failures = answers.filter((one) => !isAnswer(one));
  const primary = failures.find(({ url }) => url === usedLast) ?? failures[0];
  if (primary) return primary.fault;
  const states = answers
    .filter(isAnswer)
    .map(
      ({ url, facts }) =>
        `${nameOfDatabase(new URL(url))} is ${facts.isStandby ? 'a standby' : 'read-only'}`,
    );
  return new DatabaseFault(`PostgreSQL takes no writes: ${states.join(', ')}.`, 'no-primary');
}
