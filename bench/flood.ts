/**
 * Measures a flood: one address sends page views, batches of 100 events, and batches of 100 page
 * views as events, to a real server with SQLite and the default limits. Another address sends one
 * click a second. Then the report is opened. Prints the answers, the new rows, the growth of the
 * data folder, and the time of the report.
 */
import { randomUUID, randomUUIDv7 } from 'node:crypto';
import { mkdirSync, readdirSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { LOG_CTA_PATH, POSTHOG_PATH, VIEW_PATH } from '#contract/limits.ts';
import { SECOND_MS } from '../server/time.ts';
import { writeDist } from '../tests/helpers/server/write-dist.ts';
import { printTable } from './load.ts';
import { makeFolder, startBenchServer } from './server.ts';

const CONNECTIONS = 8;
const PASSWORD = 'a password of the bench';
/** HTTP agents with two local addresses of this machine: the flood's, and a visitor's. */
const [FLOOD, VISITOR] = ['127.0.0.2', '127.0.0.3'].map(
  (localAddress) => new Agent({ keepAlive: true, localAddress, maxSockets: CONNECTIONS }),
);
/** A text about as long as the longest fields that strangers may fill. */
const LONG = 'x'.repeat(900);
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { seconds: { type: 'string', default: '60' } } });
  const dist = join(makeFolder(), 'dist');
  mkdirSync(dist);
  // Nothing answers at PostHog's address, so that all events wait in the outbox.
  writeDist(dist, { posthogHost: 'https://127.0.0.1:9' });
  const env = { ADMIN_PASSWORD: PASSWORD, RATE_LIMIT: '600' };
  const { url, dataDir } = await startBenchServer({ dist, env });
  const sizeBefore = sizeOf(dataDir);
  const until = performance.now() + Number(values.seconds) * SECOND_MS;
  const answers: Record<string, Record<string, number>> = {};
  const count = (name: string, status: number | undefined) => {
    answers[name] ??= {};
    answers[name][String(status)] = (answers[name][String(status)] ?? 0) + 1;
  };
  const flooding = Array.from({ length: CONNECTIONS }, async () => {
    while (performance.now() < until)
      for (const [name, path, body] of makeFlood(url)) {
        count(name, await post(url + path, body, FLOOD));
      }
  });
  while (performance.now() < until) {
    count('clicks of another address', await post(url + LOG_CTA_PATH, makeClick(), VISITOR));
    await wait(SECOND_MS);
  }
  await Promise.all(flooding);
  const begin = performance.now();
  const authorization = `Basic ${btoa(`:${PASSWORD}`)}`;
  const report = await fetch(`${url}/report`, { headers: { authorization } });
  await report.text();
  const reportS = (performance.now() - begin) / SECOND_MS;
  printTable(
    [`one address, ${CONNECTIONS} connections, ${values.seconds} s`, 'requests by answer'],
    Object.entries(answers).map(([name, byStatus]) => [name, describeAnswers(byStatus)]),
  );
  const { visits, events } = countRows(dataDir);
  process.stdout.write(
    `Rows: ${visits} visits, ${events} events that wait, those of views among them\n` +
      `Data folder: ${((sizeOf(dataDir) - sizeBefore) / 1024 ** 2).toFixed(1)} MB more\n` +
      `/report: ${report.status} after ${reportS.toFixed(2)} s\n`,
  );
}

/** Makes one request of each kind. Ids, refs and campaigns are new in each call. */
function makeFlood(url: string): [name: string, path: string, body: object][] {
  const fields = () => ({
    visit_id: randomUUIDv7(),
    referrer: randomUUID().repeat(3),
    campaign: { source: LONG.slice(0, 200), medium: LONG.slice(0, 200), campaign: randomUUID() },
  });
  const page_url = `${url}/?${LONG}`;
  const timestamp = new Date().toISOString();
  const view = { id: randomUUID(), timestamp, page_url, is_first: true, ...fields() };
  const batchOf = (event: string) => ({
    batch: Array.from({ length: 100 }, () => ({
      event,
      uuid: randomUUIDv7(),
      timestamp,
      properties: { ...fields(), campaign: {}, $current_url: page_url.slice(0, 900), section: 'x' },
    })),
  });
  const events = `${POSTHOG_PATH}/e/`;
  return [
    ['a page view', VIEW_PATH, view],
    ['100 events', events, batchOf('section_viewed')],
    ['100 page views as events', events, batchOf('$pageview')],
  ];
}

const makeClick = () => ({
  id: randomUUIDv7(),
  event: 'hero_cta_click',
  referrer: 'clinic-7',
  ip: null,
  timestamp: new Date().toISOString(),
  page_url: 'https://site.example/',
  user_agent: CHROME,
  is_mobile: false,
});

/** Sends a request. @returns the status; undefined if the connection broke */
function post(url: string, body: object, agent: Agent | undefined): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const headers = { 'content-type': 'application/json', 'user-agent': CHROME };
  const sent = request(url, { agent, method: 'POST', headers }, (answer) => {
    answer.resume().on('close', () => resolve(answer.statusCode));
  });
  sent.on('error', () => resolve(undefined)).end(JSON.stringify(body));
  return promise;
}

const describeAnswers = (byStatus: Record<string, number>): string =>
  Object.entries(byStatus)
    .map(([status, n]) => `${n} × ${status}`)
    .join(', ');

function countRows(dataDir: string) {
  const db = new DatabaseSync(join(dataDir, 'site.db'), { readOnly: true });
  const count = (from: string) => Number(db.prepare(`SELECT COUNT(*) AS n FROM ${from}`).get()?.n);
  const visits = count('visits');
  const events = count('posthog_outbox WHERE event IS NOT NULL');
  db.close();
  return { visits, events };
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
