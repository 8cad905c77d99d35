/** Puts load on a server: many clients send clicks, and record which ones it acknowledges. */
import { randomUUIDv7 as newId } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { BROWSER, makeBody } from './server-app.ts';

const CLIENTS = 32;
/** Polling interval in milliseconds, so that polling leaves CPU time to the clients. */
const POLL = { interval: 5 };
/**
 * Pause of a client after a click that was not acknowledged. Without it, 32 clients would keep a
 * processor busy with answers of status 503.
 */
const PAUSE_MS = 20;

/** Creates the record of a load. */
export const makeLoad = () => ({
  /** Ids of clicks that were answered 200. */
  acked: new Set<string>(),
  /** Ids of clicks without that answer. The next load sends them again, as browsers do. */
  unanswered: new Set<string>(),
  /** Number of other answers, by status. */
  others: new Map<number, number>(),
});
export type Load = ReturnType<typeof makeLoad>;

/**
 * Starts the clients. They send the unanswered clicks of the record first.
 *
 * @returns the record, and a function that stops the clients and waits for their last answers
 */
export function startLoad(url: string, load = makeLoad()) {
  let running = true;
  const unanswered = [...load.unanswered];
  const client = async () => {
    while (running) {
      const id = unanswered.pop() ?? newId();
      load.unanswered.add(id);
      const status = await sendClick(url, id);
      if (status === 200) {
        load.acked.add(id);
        load.unanswered.delete(id);
        continue;
      }
      if (status !== null) load.others.set(status, (load.others.get(status) ?? 0) + 1);
      await wait(PAUSE_MS);
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  const stop = async () => {
    running = false;
    await clients;
  };
  return { load, stop };
}

/** Sends a click. @returns the status, if the answer arrived completely; null otherwise */
export async function sendClick(url: string, id: string): Promise<number | null> {
  const headers = { 'content-type': 'application/json', 'user-agent': BROWSER };
  const request = { method: 'POST', headers, body: JSON.stringify(makeBody({ id })) };
  try {
    const answer = await fetch(url + LOG_CTA_PATH, request);
    await answer.text();
    return answer.status;
  } catch {
    return null;
  }
}

/**
 * Sends a click until it is acknowledged, as browsers do. Expects that all other answers are 503,
 * as of a busy server.
 */
export async function insist(url: string, id: string): Promise<void> {
  for (;;) {
    const status = await sendClick(url, id);
    if (status === 200) return;
    expect(status).toBe(503);
    await wait(PAUSE_MS);
  }
}

/** Waits until the server has acknowledged so many more clicks. */
export const untilAcked = ({ acked }: Load, more: number) => untilMore(() => acked.size, more);

/** Waits for so many more answers with a status. */
export const untilAnswered = ({ others }: Load, status: number, more: number) =>
  untilMore(() => others.get(status) ?? 0, more);

const untilMore = (count: () => number, more: number) =>
  expect.poll(count, POLL).toBeGreaterThanOrEqual(count() + more);
