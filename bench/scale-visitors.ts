/** Visitors who click at a given rate, whether the servers are slow or not, and repeat a click until it is confirmed. */
import { randomInt, randomUUID } from 'node:crypto';
import { Agent, type Agent as PlainAgent, request } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { LOG_CTA_PATH } from '#contract/limits.ts';

const TICK_MS = 5;
/** Wait before a click is sent again, as the page's outbox does. */
const AGAIN_MS = 1000;
const CONNECTIONS = 128;
const BROWSERS = 300;

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
  /** Resolves when every click is confirmed. */
  settled(): Promise<void>;
  close(): void;
}

export function openVisitors(url: string): Visitors {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS, rejectUnauthorized: false });
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
      const status = await send(url, agent, body, address);
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
      await Promise.all(underWay);
    },
    close: () => agent.destroy(),
  };
}

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

/** @returns the status when the answer has arrived completely; 0: no answer */
function send(url: string, agent: PlainAgent, body: string, address: string): Promise<number> {
  return new Promise((resolve) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-forwarded-for': address,
    };
    const sent = request(url + LOG_CTA_PATH, { method: 'POST', headers, agent });
    sent.on('response', (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.complete ? (answer.statusCode ?? 0) : 0));
      answer.on('error', () => resolve(0));
    });
    sent.on('error', () => resolve(0));
    sent.end(body);
  });
}
