/** A given number of clicks, each from an address of its own. Each is sent until the server acknowledges it, as browsers do. */
import { setTimeout as wait } from 'node:timers/promises';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { readLedger } from '../../../server/clicks/ledger/read-ledger.ts';
import { newId } from '../../../server/database/new-id.ts';
import { openClient } from './raw-client.ts';

interface SendOptions {
  port: number;
  connections: number;
  /** Called after each acknowledged click with their number. */
  onAcked?: (acked: number) => void;
}

/** Pause before a click is sent again. */
const AGAIN_MS = 20;
/** The ids of a run begin with the time of its start, and end with the click's number. */
const NUMBER_DIGITS = 12;

export function planClicks(count: number) {
  const prefix = newId().slice(0, -NUMBER_DIGITS);
  const idOf = (n: number) => `${prefix}${String(n).padStart(NUMBER_DIGITS, '0')}`;
  return {
    /**
     * Resolves when the server has acknowledged every click.
     *
     * @returns the number of other answers by status. 0: the connection ended without an answer
     */
    async send({ port, connections, onAcked = () => {} }: SendOptions) {
      const others = new Map<number, number>();
      let next = 0;
      let acked = 0;
      const visitor = async () => {
        const client = openClient(port);
        while (next < count) {
          const n = next;
          next += 1;
          const request = clickRequest(idOf(n), n);
          for (;;) {
            const status = (await client.send(request))?.status ?? 0;
            if (status === 200) break;
            others.set(status, (others.get(status) ?? 0) + 1);
            await wait(AGAIN_MS);
          }
          acked += 1;
          onAcked(acked);
        }
        client.close();
      };
      await Promise.all(Array.from({ length: connections }, visitor));
      return others;
    },
    /** @returns how many of the clicks a ledger lacks, and how many it has more than once */
    async check(ledger: string) {
      const times = new Uint8Array(count);
      for await (const { lines } of readLedger(ledger)) {
        for (const line of lines) {
          const { id } = JSON.parse(line);
          if (!id.startsWith(prefix)) continue;
          const n = Number(id.slice(prefix.length));
          times[n] = (times[n] ?? 0) + 1;
        }
      }
      const missing = times.filter((found) => found === 0).length;
      return { missing, twice: times.filter((found) => found > 1).length };
    },
  };
}

function clickRequest(id: string, n: number): string {
  const body = JSON.stringify({
    event: n % 2 ? 'hero_cta_click' : 'lower_cta_click',
    referrer: `clinic-${n % 50}`,
    ip: null,
    timestamp: new Date().toISOString(),
    page_url: `https://site.example/?ref=clinic-${n % 50}`,
    user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
    is_mobile: false,
    id,
  });
  return (
    `POST ${LOG_CTA_PATH} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${addressOf(n)}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  );
}

/** Up to 16 million addresses. */
const addressOf = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
