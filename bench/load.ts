/** Sends clicks to a server: as many as it takes, or at a fixed rate. */
import { spawn } from 'node:child_process';
import { randomUUIDv7 } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ClickBody } from '#contract/click-fields.schema.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';

/** Each connection of wrk sends the next click after the answer. Times are microseconds. */
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
 * Sends clicks at a rate, whatever the answers take, and a page's request with every fourth click.
 *
 * @returns each answer's milliseconds, from the moment at which its request was due
 */
export async function sendSteadily(url: string, { rate = 150, seconds = 10 }) {
  const clicks: number[] = [];
  const pages: number[] = [];
  let failed = 0;
  const time = async (times: number[], due: number, answered: Promise<number | undefined>) => {
    if ((await answered) !== 200) failed += 1;
    times.push(performance.now() - due);
  };
  const under: Promise<void>[] = [];
  const begin = performance.now();
  for (let i = 0; i < rate * seconds; i += 1) {
    const due = begin + (i * 1000) / rate;
    const early = due - performance.now();
    if (early > 0) await wait(early);
    under.push(time(clicks, due, send(url + LOG_CTA_PATH, JSON.stringify(makeClick()))));
    if (i % 4 === 0) under.push(time(pages, due, send(url)));
  }
  await Promise.all(under);
  return { clicks, pages, failed };
}

const connections = new Agent({ keepAlive: true });

/**
 * Not `fetch`: this process then collects its garbage for 10 ms twice a second, and the slowest
 * answers are those.
 *
 * @returns the status; undefined: no answer
 */
function send(url: string, body?: string): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const method = body === undefined ? 'GET' : 'POST';
  const options = { agent: connections, method, headers: { 'content-type': 'application/json' } };
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

/** @param part 0.5 is the median. @returns NaN without a value */
export function percentile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Prints a table in Markdown. */
export function printTable(head: string[], rows: (string | number)[][]): void {
  const lines = [head, head.map((_, i) => (i === 0 ? '---' : '--:')), ...rows];
  process.stdout.write(`${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n`);
}
