/** Many clients clicking at once, who remember what the server promised them. */
import { Agent, request } from 'node:http';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { newId } from '../../server/clicks/new-id.ts';
import { makeBody } from './server-app.ts';

const CLIENTS = 32;

export interface Load {
  /** Ids whose 200 was read to its end. */
  acked: Set<string>;
  /** Ids that were sent and not answered with 200; the next load sends them again, as browsers do. */
  unanswered: Set<string>;
  /** Other answers, by status. */
  others: Map<number, number>;
}

export const makeLoad = (): Load => ({
  acked: new Set(),
  unanswered: new Set(),
  others: new Map(),
});

/** Clicks until it is stopped, on connections that stay open. @returns a function that stops and waits for the last */
export function startLoad(url: string, load: Load): () => Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  let running = true;
  const again = [...load.unanswered];
  const client = async () => {
    while (running) {
      const id = again.pop() ?? newId();
      load.unanswered.add(id);
      const status = await sendClick(url, id, agent);
      if (status === 200) {
        load.acked.add(id);
        load.unanswered.delete(id);
      } else if (status !== null) {
        load.others.set(status, (load.others.get(status) ?? 0) + 1);
      }
    }
  };
  const clients = Promise.all(Array.from({ length: CLIENTS }, client));
  return async () => {
    running = false;
    await clients;
    agent.destroy();
  };
}

/** @returns the status, when the whole answer arrived */
export function sendClick(url: string, id: string, agent?: Agent): Promise<number | null> {
  return new Promise((resolve) => {
    const body = JSON.stringify(makeBody({ id }));
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    const sent = request(url + LOG_CTA_PATH, { method: 'POST', headers, ...(agent && { agent }) });
    sent.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.complete ? (answer.statusCode ?? null) : null));
      answer.on('error', () => resolve(null));
    });
    sent.on('error', () => setImmediate(resolve, null));
    sent.end(body);
  });
}

/** @returns once that many more clicks were acknowledged */
export async function untilAcked(load: Load, more: number): Promise<void> {
  const target = load.acked.size + more;
  while (load.acked.size < target) await new Promise((resolve) => setImmediate(resolve));
}
