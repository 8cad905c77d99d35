/** Load generators: they send clicks to a server as fast as it answers, or at a fixed rate. */
import { spawn } from 'node:child_process';
import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClickBody } from '#contract/click-fields.schema.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';

/**
 * Sends clicks with wrk, on the second CPU. Each connection sends the next click when it has the
 * answer.
 *
 * @param withAddresses sends each click from an IP address of its own, in X-Forwarded-For
 * @returns number of requests and of failed ones; `us`: duration; `p50` and `p99`: percentiles of
 * the response time. Times are in microseconds
 * @throws if wrk gives no result
 */
export async function runWrk(
  url: string,
  connections: number,
  seconds: number,
  withAddresses = false,
) {
  const args = `-c 1 wrk -t1 -c${connections} -d${seconds}s --timeout 10s -s ${import.meta.dirname}/clicks.lua ${url}`;
  const env = {
    ...process.env,
    BENCH_FIRST: String(Date.now() % 1e9),
    BENCH_ADDRESSES: withAddresses ? '1' : '',
  };
  const child = spawn('taskset', args.split(' '), { env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (text += part));
  await once(child, 'close');
  const result = /RESULT (.*)/.exec(text)?.[1];
  if (!result) throw new Error(`wrk gave no result: ${text.trim()}`);
  return JSON.parse(result) as Record<'requests' | 'us' | 'failed' | 'p50' | 'p99', number>;
}

/**
 * Sends clicks at a fixed rate (an open load model), and a request for the page with every fourth
 * click.
 *
 * @returns response times in milliseconds. They begin when a request was due, not when it was sent,
 * so that a slow server cannot hide its delays
 */
export async function sendSteadily(url: string, { rate = 150, seconds = 10 }) {
  const clicks: number[] = [];
  const pages: number[] = [];
  let failed = 0;
  const time = async (times: number[], due: number, answered: Promise<number | undefined>) => {
    if ((await answered) !== 200) failed += 1;
    times.push(performance.now() - due);
  };
  const underWay: Promise<void>[] = [];
  const begin = performance.now();
  for (let i = 0; i < rate * seconds; i += 1) {
    const due = begin + (i * 1000) / rate;
    const early = due - performance.now();
    if (early > 0) await wait(early);
    underWay.push(time(clicks, due, send(url + LOG_CTA_PATH, JSON.stringify(makeClick()))));
    if (i % 4 === 0) underWay.push(time(pages, due, send(url)));
  }
  await Promise.all(underWay);
  return { clicks, pages, failed };
}

const keepAliveAgent = new Agent({ keepAlive: true });

/**
 * Sends a request: POST with a body, GET without. It does not use `fetch`, with which the garbage
 * collector of this process pauses for 10 ms twice a second, and so distorts the slowest times.
 *
 * @returns the status; undefined if the answer is missing or incomplete
 */
function send(url: string, body?: string): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { 'content-type': 'application/json' };
  const options = { agent: keepAliveAgent, method, headers };
  const sent = request(url, options, (answer) => {
    answer.resume().on('close', () => resolve(answer.complete ? answer.statusCode : undefined));
  });
  sent.on('error', () => resolve(undefined)).end(body);
  return promise;
}

const makeClick = (): ClickBody => ({
  id: randomUUIDv7(),
  event: 'hero_cta_click',
  referrer: 'clinic-7',
  ip: null,
  timestamp: new Date().toISOString(),
  page_url: 'https://site.example/?ref=clinic-7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0',
  is_mobile: false,
});

/** Returns a percentile of numbers: with the fraction 0.5, the median. NaN for an empty list. */
export function percentile(values: number[], fraction: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
}

/** Prints a table in Markdown. */
export function printTable(head: string[], rows: (string | number)[][]): void {
  const lines = [head, head.map((_, i) => (i === 0 ? '---' : '--:')), ...rows];
  process.stdout.write(`${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n`);
}
