/** Finds the one server of DATABASE_URL that takes writes, and asks it what a click relies on. */
import { setTimeout as wait } from 'node:timers/promises';
import { Client, types } from 'pg';
import { SECOND_MS } from '../../time.ts';
import { DatabaseFault, nameOf } from '../database.ts';
import { describe, sharedSessions, toFault } from './faults.ts';
import { hasSharedSessions } from './pooler.ts';
import type { Connection } from './session.ts';

/**
 * Upper bound for a connection, and for the answer to each of its first statements. It is below the
 * 5 s after which browsers give up.
 */
const CONNECT_MS = 2 * SECOND_MS;
/** How long the other servers have to answer, after one has said that it takes writes. */
const OTHERS_MS = SECOND_MS;
/**
 * PostgreSQL ends a statement so much earlier than the server gives up, so that no process of
 * PostgreSQL goes on with a statement, also when this server no longer waits for its answer.
 */
const EARLIER_MS = 500;
/** PostgreSQL ends a wait for a lock still earlier, so that the error names the lock. */
const EARLIER_FOR_LOCKS_MS = SECOND_MS;

// Times and counts are below 2^53, so they become numbers. The driver would make texts of them.
for (const type of [types.builtins.INT8, types.builtins.NUMERIC]) types.setTypeParser(type, Number);

/** Settings of each session. A pooler would refuse them as parameters of the start. */
const SESSION_SETTINGS = {
  search_path: 'site',
  // PostgreSQL tells by a warning that somebody has cancelled a wait for the standby.
  client_min_messages: 'warning',
  // PostgreSQL ends the connection, and its locks, about a minute after a server's machine has
  // vanished.
  tcp_keepalives_idle: 30,
  tcp_keepalives_interval: 10,
  tcp_keepalives_count: 3,
  // How long the open transaction of a vanished server can block others.
  idle_in_transaction_session_timeout: 10 * SECOND_MS,
};

export interface Limits {
  /**
   * How long the server waits for the answer to a statement. Without it there is no limit.
   * Milliseconds.
   */
  patienceMs?: number;
  /** Sends the statements of a transaction without waiting for the answers before them. */
  pipeline?: boolean;
}

export type Connect = ReturnType<typeof createConnect>;

/** @param urls of servers that copy each other: a primary, and its standbys */
export function createConnect(urls: readonly string[]) {
  let usedLast: string | null = null;

  /** @throws (rejects with) a DatabaseFault, also if no server takes writes, or more than one */
  return async (limits: Limits): Promise<Connection> => {
    const asking = urls.map((url) => ask(url, limits));
    let used: Client | null = null;
    try {
      const chosen = choose(await untilDecided(asking), usedLast);
      await prepare(chosen, limits);
      usedLast = chosen.url;
      used = chosen.client;
      return { client: used, name: nameOf(new URL(usedLast)) };
    } finally {
      for (const one of asking) void one.then((answer) => endUnused(answer, used));
    }
  };
}

function endUnused({ client }: Answer | NoAnswer, used: Client | null): void {
  if (client && client !== used) client.end().catch(() => {});
}

/** Sets the session's settings, but not those of a session that belongs to others too. */
async function prepare({ url, client, found }: Answer, limits: Limits): Promise<void> {
  const name = nameOf(new URL(url));
  try {
    const openSecond = () => open(url, {});
    if (await hasSharedSessions(client, found.pid, openSecond)) throw sharedSessions(name);
    await client.query({ ...ANSWERED_SOON, text: makeSetText(limits) });
  } catch (cause) {
    throw toFault(cause, name);
  }
}

function makeSetText({ patienceMs }: Limits): string {
  const limits = patienceMs && {
    lock_timeout: patienceMs - EARLIER_FOR_LOCKS_MS,
    statement_timeout: patienceMs - EARLIER_MS,
  };
  const calls = Object.entries({ ...SESSION_SETTINGS, ...limits }).map(
    ([name, value]) => `set_config('${name}', '${value}', false)`,
  );
  return `SELECT ${calls.join(', ')}`;
}

/** What a server says about itself, without a change of its session. */
interface Found {
  takesWrites: boolean;
  isStandby: boolean;
  encoding: string;
  pid: number;
  /** The same for two addresses of one database. */
  identity: string;
}

// With `default_transaction_read_only`, a primary takes no writes either.
const READ_ABOUT_SERVER = `
  SELECT
    current_setting('transaction_read_only') = 'off' AS "takesWrites",
    pg_is_in_recovery() AS "isStandby",
    current_setting('server_encoding') AS encoding,
    pg_backend_pid() AS pid,
    extract(epoch FROM pg_postmaster_start_time())::text || current_database() AS identity`;

interface Answer {
  url: string;
  client: Client;
  found: Found;
}
interface NoAnswer {
  url: string;
  client: null;
  fault: DatabaseFault;
}

const ANSWERED_SOON = { query_timeout: CONNECT_MS };

async function ask(url: string, limits: Limits): Promise<Answer | NoAnswer> {
  let client: Client | null = null;
  try {
    client = await open(url, limits);
    const { rows } = await client.query({ ...ANSWERED_SOON, text: READ_ABOUT_SERVER });
    return { url, client, found: rows[0] };
  } catch (cause) {
    client?.end().catch(() => {});
    return { url, client: null, fault: toFault(cause, nameOf(new URL(url))) };
  }
}

async function open(connectionString: string, { patienceMs, pipeline = false }: Limits) {
  const client = new Client({
    connectionString,
    application_name: 'sma-data-drive',
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: patienceMs,
    pipeline,
  });
  // The next query on the connection reports the error.
  client.on('error', () => {});
  try {
    return await client.connect();
  } catch (cause) {
    client.end().catch(() => {});
    throw cause;
  }
}

/** Waits for each answer, but not for long after the first one of a server that takes writes. */
async function untilDecided(asking: Promise<Answer | NoAnswer>[]): Promise<(Answer | NoAnswer)[]> {
  const answers: (Answer | NoAnswer)[] = [];
  const keep = async (one: Promise<Answer | NoAnswer>, i: number) => {
    answers[i] = await one;
  };
  const all = Promise.all(asking.map(keep));
  const first = Promise.any(
    asking.map(async (one) => {
      if (!isWriter(await one)) throw new Error('takes no writes');
    }),
  );
  const inTime = first.then(() => wait(OTHERS_MS, undefined, { ref: false }));
  await Promise.race([all, inTime.catch(() => all)]);
  // `flat` leaves out the empty places of servers that have not answered.
  return answers.flat();
}

const isAnswer = (one: Answer | NoAnswer): one is Answer => one.client !== null;
const isWriter = (one: Answer | NoAnswer): one is Answer => isAnswer(one) && one.found.takesWrites;

/** @throws a DatabaseFault */
function choose(answers: (Answer | NoAnswer)[], usedLast: string | null): Answer {
  const writers = answers.filter(isWriter);
  const [writer] = writers;
  if (!writer) throw whyNone(answers, usedLast);
  const { encoding, identity } = writer.found;
  if (writers.some(({ found }) => found.identity !== identity)) {
    const names = writers.map(({ url }) => nameOf(new URL(url))).join(' and ');
    throw new DatabaseFault(
      `PostgreSQL: ${names} both take writes, so each would have a part of the clicks. Stop the one that is no longer the primary.`,
      'two-primaries',
    );
  }
  if (encoding !== 'UTF8') {
    const text = `the database has the encoding ${encoding}, which lacks letters of visitors. Make one with ENCODING 'UTF8'.`;
    throw new DatabaseFault(describe(nameOf(new URL(writer.url)), text), 'encoding');
  }
  return writer;
}

/**
 * Why no server takes writes: the fault of the one that did so last, else of the first one that is
 * no standby.
 */
function whyNone(answers: (Answer | NoAnswer)[], usedLast: string | null): DatabaseFault {
  const faulty = answers.filter((one) => !isAnswer(one));
  const primary = faulty.find(({ url }) => url === usedLast) ?? faulty[0];
  if (primary) return primary.fault;
  const states = answers
    .filter(isAnswer)
    .map(
      ({ url, found }) =>
        `${nameOf(new URL(url))} is ${found.isStandby ? 'a standby' : 'read-only'}`,
    );
  return new DatabaseFault(`PostgreSQL takes no writes: ${states.join(', ')}.`, 'no-primary');
}
