/** Loads the page again and again, each time on a new connection, as new visitors do. */
import { get as getHttp } from 'node:http';
import { get as getHttps } from 'node:https';

export interface PageFigures {
  /** Number of page loads. */
  asked: number;
  /** Number of pages with another status than 200, without an end, or after MAX_WAIT_MS. */
  failed: number;
  /** Milliseconds to the last byte. A failed page counts with MAX_WAIT_MS. */
  p50: number;
  p99: number;
}

interface Options {
  url: string;
  /** The visitor's address, which a balancer would name. */
  address: string;
}

/** Interval of the page loads. They do not wait for each other. */
const EVERY_MS = 50;
const MAX_WAIT_MS = 10_000;

/** Loads pages until `stop`, which waits for the last one. */
export function probePages({ url, address }: Options) {
  const loads: Promise<number | null>[] = [];
  const timer = setInterval(() => void loads.push(loadPage(url, address)), EVERY_MS);
  return {
    async stop(): Promise<PageFigures> {
      clearInterval(timer);
      const times = await Promise.all(loads);
      const sorted = times.map((ms) => ms ?? MAX_WAIT_MS).sort((a, b) => a - b);
      const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
      return {
        asked: times.length,
        failed: times.filter((ms) => ms === null).length,
        p50: at(0.5),
        p99: at(0.99),
      };
    },
  };
}

/** @returns milliseconds; null: the page did not arrive */
function loadPage(url: string, address: string): Promise<number | null> {
  const get = url.startsWith('https:') ? getHttps : getHttp;
  const began = performance.now();
  return new Promise((resolve) => {
    const options = {
      agent: false as const,
      // The certificate is the bench's own.
      rejectUnauthorized: false,
      headers: { 'x-forwarded-for': address, 'accept-encoding': 'br' },
      signal: AbortSignal.timeout(MAX_WAIT_MS),
    };
    const request = get(url, options, (answer) => {
      answer.resume();
      answer.on('close', () =>
        resolve(answer.complete && answer.statusCode === 200 ? performance.now() - began : null),
      );
    });
    request.on('error', () => resolve(null));
  });
}
