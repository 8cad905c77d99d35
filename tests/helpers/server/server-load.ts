/** Many clients that click at once and record the server's acknowledgements. */
import { randomUUIDv7 as newId } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'vitest';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { BROWSER, makeBody } from './server-app.ts';

const CLIENTS = 32;
/** The checks leave the clients their CPU time. */
const LOOK = { interval: 5 };
/**
 * Pause of a client whose click was not confirmed. Without it 32 clients keep a processor busy with
 * 503s.
 */
const PAUSE_MS = 20;

export const makeLoad = () => ({
  /** Ids whose 200 arrived completely. */
  acked: new Set<string>(),
  /** Ids without a 200. The next load sends them again, as browsers do. */
  unanswered: new Set<string>(),
  /** Number of other answers, by status. */
  others: new Map<number, number>(),
});
export type Load = ReturnType<typeof makeLoad>;

/** @returns the load, and a function that stops it and waits for the last answer */
export function startLoad(url: string, load = makeLoad()) {
  let running = true;
  const again = [...load.unanswered];
  const client = async () => {
    while (running) {
      const id = again.pop() ?? newId();
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

/** @returns the status when the answer has arrived completely; null: the connection broke */
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
 * Sends a click until it is acknowledged, as browsers do: a busy server may answer 503, and no
 * other status.
 */
export async function insist(url: string, id: string): Promise<void> {
  for (;;) {
    const status = await sendClick(url, id);
    if (status === 200) return;
    expect(status).toBe(503);
    await wait(PAUSE_MS);
  }
}

/** Resolves when the server has acknowledged this number of further clicks. */
export const untilAcked = ({ acked }: Load, more: number) => untilMore(() => acked.size, more);

/** Resolves after this number of further answers with this status. */
export const untilAnswered = ({ others }: Load, status: number, more: number) =>
  untilMore(() => others.get(status) ?? 0, more);

const untilMore = (count: () => number, more: number) =>
  expect.poll(count, LOOK).toBeGreaterThanOrEqual(count() + more);
