/** Many clients that click at once and record the server's acknowledgements. */

import { randomUUIDv7 as newId } from 'node:crypto';
import { Agent, type AgentOptions, request } from 'node:http';
import { request as requestOverTls, Agent as TlsAgent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { makeBody } from './server-app.ts';

const CLIENTS = 32;
const LIMIT_MS = 60_000;
/** Pause between two checks, so that the checks do not take the clients' CPU time. */
const LOOK_MS = 5;

export interface Load {
  /** Ids whose 200 arrived completely. */
  acked: Set<string>;
  /** Ids without a 200. The next load sends them again, as browsers do. */
  unanswered: Set<string>;
  /** Number of other answers, by status. */
  others: Map<number, number>;
  /** Number of clicks sent again because their connection was closed without an answer. */
  resent: number;
}

export const makeLoad = (): Load => ({
  acked: new Set(),
  unanswered: new Set(),
  others: new Map(),
  resent: 0,
});

interface LoadOptions {
  /** Sends a click again at once when its connection is closed without an answer, as browsers and the page do. */
  likeBrowsers?: boolean;
  /** Pause of a client whose click was not confirmed, in milliseconds. Without it 32 clients keep a processor busy with 503s. */
  pauseMs?: number;
}

/** Clicks on open connections. @returns a function that stops and waits for the last answer */
export function startLoad(
  url: string,
  load: Load,
  { likeBrowsers = false, pauseMs = 0 }: LoadOptions = {},
): () => Promise<void> {
  const agent = makeAgent(url);
  let running = true;
  const again = [...load.unanswered];
  const countResent = () => {
    load.resent += 1;
  };
  const client = async () => {
    while (running) {
      const id = again.pop() ?? newId();
      load.unanswered.add(id);
      const status = await sendClick(url, id, agent, likeBrowsers ? countResent : null);
      if (status === 200) {
        load.acked.add(id);
        load.unanswered.delete(id);
      } else if (status !== null) {
        load.others.set(status, (load.others.get(status) ?? 0) + 1);
      }
      if (status !== 200 && pauseMs > 0) await wait(pauseMs);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  return async () => {
    running = false;
    await clients;
    agent.destroy();
  };
}

/** Accepts any certificate, because the tests make their own. */
function makeAgent(url: string): Agent {
  const options: AgentOptions = { keepAlive: true, maxSockets: CLIENTS };
  return url.startsWith('https:')
    ? new TlsAgent({ ...options, rejectUnauthorized: false })
    : new Agent(options);
}

/**
 * @param onClosed called before the click is sent again, because its connection was closed; null: it is not sent again
 * @returns the status when the answer has arrived completely
 */
export function sendClick(
  url: string,
  id: string,
  agent?: Agent,
  onClosed: (() => void) | null = null,
): Promise<number | null> {
  return new Promise((resolve) => {
    const body = JSON.stringify(makeBody({ id }));
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
    };
    const ask = url.startsWith('https:') ? requestOverTls : request;
    const sent = ask(url + LOG_CTA_PATH, { method: 'POST', headers, ...(agent && { agent }) });
    sent.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.complete ? (answer.statusCode ?? null) : null));
      answer.on('error', () => resolve(null));
    });
    sent.on('error', () => {
      if (!onClosed) return setImmediate(resolve, null);
      onClosed();
      resolve(sendClick(url, id, agent, onClosed));
    });
    sent.end(body);
  });
}

/** Sends a click until it is acknowledged, as browsers do: a busy server may answer 503. @throws with the status of any other answer */
export async function insist(url: string, id: string, agent?: Agent): Promise<void> {
  for (const limit = Date.now() + LIMIT_MS; Date.now() < limit; await wait(LOOK_MS)) {
    const status = await sendClick(url, id, agent);
    if (status === 200) return;
    if (status !== 503) throw new Error(`The server answered ${status}`);
  }
  throw new Error('The server has answered 503 for a minute');
}

/** Resolves when the server has acknowledged this number of further clicks. */
export function untilAcked(load: Load, more: number): Promise<void> {
  const target = load.acked.size + more;
  return until(() => load.acked.size >= target, `${more} more clicks acknowledged`, load);
}

/** Resolves after this number of further answers with this status. */
export function untilAnswered(load: Load, status: number, more: number): Promise<void> {
  const target = (load.others.get(status) ?? 0) + more;
  return until(
    () => (load.others.get(status) ?? 0) >= target,
    `${more} times ${status} answered`,
    load,
  );
}

/** @throws after a time limit, because an endless loop would outlive its test */
async function until(isTrue: () => boolean, what: string, load: Load): Promise<void> {
  const limit = Date.now() + LIMIT_MS;
  while (!isTrue()) {
    if (Date.now() > limit) {
      const others = JSON.stringify([...load.others]);
      throw new Error(`Timeout: ${what}; ${load.acked.size} acknowledged, others ${others}`);
    }
    await wait(LOOK_MS);
  }
}
