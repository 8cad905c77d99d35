/** Visitors who click at a given rate, whether the servers are slow or not, and repeat a click until it is confirmed. */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { connect } from 'node:tls';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { openClient, type RawClient } from '../tests/helpers/soak/raw-client.ts';

const TICK_MS = 5;
/** Wait before a click is sent again, as the page's outbox does. */
const AGAIN_MS = 1000;
const CONNECTIONS = 128;
const BROWSERS = 300;
const SETTLE_MS = 180_000;

export interface Visitors {
  /** Every click that was made. */
  made: string[];
  confirmed: Set<string>;
  /** Number of attempts that failed, by status; 0: no answer. */
  failures: Map<number, number>;
  /**
   * Makes clicks for that time.
   *
   * @param now the visitors' clocks, in milliseconds since 1970
   * @returns milliseconds from each click's due time to its confirmation, in a list that is complete after `settled`
   */
  run(rate: number, seconds: number, now: () => number): Promise<number[]>;
  /** Resolves when every click is confirmed. @throws (rejects) after three minutes */
  settled(): Promise<void>;
  close(): void;
}

export function openVisitors(url: string): Visitors {
  const pool = openPool(url);
  const made: string[] = [];
  const confirmed = new Set<string>();
  const failures = new Map<number, number>();
  const underWay = new Set<Promise<void>>();

  const click = async (dueAt: number, now: number, delays: number[]) => {
    const id = makeId(now);
    made.push(id);
    const body = makeBody(id, now);
    const address = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;
    for (;;) {
      const status = await pool.send(body, address);
      if (status === 200) break;
      failures.set(status, (failures.get(status) ?? 0) + 1);
      await wait(AGAIN_MS);
    }
    confirmed.add(id);
    delays.push(performance.now() - dueAt);
  };
  return {
    ...{ made, confirmed, failures },
    async run(rate, seconds, now) {
      const delays: number[] = [];
      const began = performance.now();
      const total = Math.round(rate * seconds);
      for (let n = 0; n < total; ) {
        const due = Math.min(total, ((performance.now() - began) / 1000) * rate);
        for (; n < due; n += 1) {
          const dueAt = began + (n / rate) * 1000;
          const one: Promise<void> = click(dueAt, now(), delays).finally(() =>
            underWay.delete(one),
          );
          underWay.add(one);
        }
        await wait(TICK_MS);
      }
      return delays;
    },
    async settled() {
      for (const limit = performance.now() + SETTLE_MS; underWay.size > 0; await wait(TICK_MS))
        if (performance.now() > limit) throw new Error(describeOpen(underWay.size, failures));
    },
    close: pool.close,
  };
}

const describeOpen = (clicks: number, failures: ReadonlyMap<number, number>) =>
  `${clicks} clicks are still not confirmed; failures by status: ${JSON.stringify([...failures])}`;

/** A UUID v7 of that moment. */
function makeId(ms: number): string {
  const time = Math.floor(ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

function makeBody(id: string, now: number): string {
  const browser = randomInt(BROWSERS);
  const clinic = `clinic-${randomInt(400)}`;
  return JSON.stringify({
    ...{ id, visit_id: makeId(now - 9000), seq: 1, event: 'hero_cta_click', referrer: clinic },
    ...{ ip: null, timestamp: new Date(now).toISOString(), sent_at: new Date(now).toISOString() },
    page_url: `https://site.example/?ref=${clinic}`,
    user_agent: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + browser}.0.0.0 Safari/537.36`,
    is_mobile: true,
  });
}

/**
 * Sends each server a click until it confirms it, because the stream may have no leader in its first seconds.
 *
 * @returns the ids
 */
export function firstClicks(ports: readonly number[], now: number): Promise<string[]> {
  return Promise.all(
    ports.map(async (port) => {
      const id = makeId(now);
      const click = {
        ...{ method: 'POST', body: makeBody(id, now) },
        headers: { 'content-type': 'application/json' },
      };
      while (!(await fetch(`http://127.0.0.1:${port}${LOG_CTA_PATH}`, click)).ok)
        await wait(AGAIN_MS);
      return id;
    }),
  );
}

/** Sends each request on a free connection; further ones wait for the next that is free. */
function openPool(url: string) {
  const { hostname, port, host } = new URL(url);
  const dial = () =>
    connect({
      host: hostname,
      servername: hostname,
      port: Number(port),
      rejectUnauthorized: false,
    });
  const all = Array.from({ length: CONNECTIONS }, () => openClient(Number(port), dial));
  const free = [...all];
  const waiting: ((client: RawClient) => void)[] = [];
  const take = () => {
    const client = free.pop();
    return client ?? new Promise<RawClient>((resolve) => waiting.push(resolve));
  };
  const give = (client: RawClient) => {
    const next = waiting.shift();
    if (next) next(client);
    else free.push(client);
  };
  return {
    /** @returns the status; 0: the connection ended without an answer */
    async send(body: string, address: string): Promise<number> {
      const client = await take();
      const answer = await client.send(
        `POST ${LOG_CTA_PATH} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${address}\r\n` +
          `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      give(client);
      return answer?.status ?? 0;
    },
    close() {
      for (const client of all) client.close();
    },
  };
}
