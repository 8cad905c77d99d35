/** What every sink promises, with a real NATS, PostgreSQL and Redis. */
import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ClickStream } from '../../server/clicks/stream/click-stream.ts';
import { openNatsStream } from '../../server/clicks/stream/nats-stream.ts';
import { startKafkaMock } from '../helpers/cluster/kafka.ts';
import { startNats } from '../helpers/cluster/nats.ts';
import { query, startPostgres } from '../helpers/cluster/postgres.ts';
import { startRedis } from '../helpers/cluster/redis.ts';
import { line } from '../helpers/server/ledger-lines.ts';
import { runCli } from '../helpers/server/run-cli.ts';

const LEDGER_ID = '019c0000-0000-7000-8000-000000000002';
const NOTHING = { position: null, sequence: 0 };

interface Target {
  url: string;
  texts(): Promise<unknown[]>;
}

async function postgresTarget(): Promise<Target> {
  const postgres = await startPostgres();
  onTestFinished(() => postgres.remove());
  const url = await postgres.createDatabase();
  return {
    url,
    texts: async () =>
      (await query(url, 'SELECT line FROM click_lines ORDER BY id')).map((row) => row.line),
  };
}

async function redisTarget(): Promise<Target> {
  const redis = await startRedis();
  onTestFinished(() => redis.remove());
  return {
    url: redis.url,
    async texts() {
      const client = new Redis(redis.url);
      const entries = await client.xrange('clicks', '-', '+');
      client.disconnect();
      return entries.map(([, fields]) => JSON.parse(fields[fields.indexOf('line') + 1] ?? ''));
    },
  };
}

async function kafkaTarget(): Promise<Target> {
  const kafka = await startKafkaMock();
  onTestFinished(kafka.remove);
  return {
    url: kafka.url,
    // As a reader does: each key once, and the lines of several partitions in one order.
    async texts() {
      const once = new Map(kafka.messages.map(({ key, text }) => [key, text]));
      return [...once].sort(([a], [b]) => a.localeCompare(b)).map(([, text]) => JSON.parse(text));
    },
  };
}

describe.each([
  ['PostgreSQL', postgresTarget],
  ['Redis', redisTarget],
  // A mock: it shows that a Kafka client reads what the sink writes, and nothing about disks or several brokers.
  ['A mock of Kafka', kafkaTarget],
])('%s gets the stream', (_, start) => {
  test('each line once, in order, also when it is stopped and started, and a line arrives twice', async () => {
    const nats = await startNats();
    onTestFinished(nats.remove);
    const target = await start();
    const stream = await openWhenReady(nats.servers);
    onTestFinished(() => stream.close());
    const send = (from: number, to: number) =>
      stream.append(
        Array.from({ length: to - from }, (_, i) => ({ id: idOf(from + i), text: line(from + i) })),
        NOTHING,
      );
    const copy = () =>
      runCli('stream-sink.ts', ['--to', target.url, '--once'], { STREAM_URL: nats.url });
    await send(0, 700);
    expect(await copy()).toMatchObject({ code: 0, err: '' });
    await send(600, 900);
    expect(await copy()).toMatchObject({ code: 0, out: expect.stringContaining('200 lines') });
    const all = Array.from({ length: 900 }, (_, i) => JSON.parse(line(i)));
    await expect.poll(target.texts).toEqual(all);
    // A second name begins at the first line: the sink has them all.
    const again = await runCli('stream-sink.ts', ['--to', target.url, '--once', '--name', 'b'], {
      STREAM_URL: nats.url,
    });
    expect(again.out).toContain('900 lines');
    await expect.poll(target.texts).toEqual(all);
  });
});

test('a click that two servers have sent, long after each other, counts once in PostgreSQL, the report and a rebuilt index', async () => {
  const nats = await startNats();
  onTestFinished(nats.remove);
  const { url, texts } = await postgresTarget();
  // Two ids for one line, because NATS leaves out the same id for two minutes.
  for (const ledgerId of [LEDGER_ID, '019c0000-0000-7000-8000-000000000003']) {
    const stream = await openNatsStream({ servers: nats.servers }, ledgerId);
    onTestFinished(() => stream.close());
    await untilKept(stream);
    await stream.append([{ id: `${idOf(0)}.forgotten.${ledgerId}`, text: line(0) }], NOTHING);
  }
  expect((await nats.messages()).map(({ id }) => id)).toEqual([idOf(0), idOf(0)]);
  const env = {
    STREAM_URL: nats.url,
    DATABASE_URL: url,
    REGISTRATION_KEYS: `k1:${Buffer.alloc(32).toString('base64')}`,
  };
  await runCli('stream-sink.ts', ['--to', url, '--once'], env);
  expect(await texts()).toEqual([JSON.parse(line(0))]);
  const clicks = (...args: string[]) => runCli('clicks.ts', [...args, '--stream'], env);
  const { out } = await clicks('report', '--format', 'jsonl');
  expect(out).toMatch(/"label":"All","kind":"total","measure":"Clicks","value":1,.* --stream"/);
  expect(out).not.toContain('--ledger');
  expect(await clicks('rebuild')).toMatchObject({ code: 0 });
  expect(await query(url, 'SELECT sum(count)::int AS counted FROM clicks_per_day')).toEqual([
    { counted: 1 },
  ]);
});

test('each query of docs/sql-queries.md runs, and counts what the stream has', async () => {
  const nats = await startNats();
  onTestFinished(nats.remove);
  const { url } = await postgresTarget();
  const stream = await openWhenReady(nats.servers);
  onTestFinished(() => stream.close());
  const page = { page_url: 'https://site.example/es/help/', is_mobile: true, seq: 1 };
  const { id, event, received_at, is_bot } = JSON.parse(line(3));
  const tombstone = { id, event, received_at, is_bot, forgotten_at: received_at };
  const texts = [
    ...[line(0, page), line(1, { ...page, seq: 3 }), line(2, { is_bot: true })],
    JSON.stringify(tombstone),
  ];
  await stream.append(
    texts.map((text, i) => ({ id: idOf(i), text })),
    NOTHING,
  );
  await runCli('stream-sink.ts', ['--to', url, '--once'], { STREAM_URL: nats.url });
  const queries = [
    ...readFileSync('docs/sql-queries.md', 'utf8').matchAll(/```sql\n(.*?)```/gs),
  ].map(([, sql = '']) => sql);
  const answers = [];
  for (const sql of queries) answers.push(await query(url, sql));
  expect(answers).toHaveLength(10);
  expect(answers.every((rows) => rows.length > 0)).toBe(true);
  expect(answers[0]?.[0]).toMatchObject({ count: '2' });
  expect(answers[7]).toEqual([{ language: 'es', path: '/es/help/', count: '2' }]);
  expect(answers[9]).toEqual([{ visits: '1', lost: '1' }]);
});

const idOf = (n: number): string => JSON.parse(line(n)).id;

/** The cluster needs a moment to elect its first leader. The first question makes the stream. */
async function openWhenReady(servers: string[]) {
  const stream = await openNatsStream({ servers }, LEDGER_ID);
  await untilKept(stream);
  return stream;
}

async function untilKept(stream: ClickStream): Promise<void> {
  await expect.poll(() => stream.kept().then(() => 'answered', String)).toBe('answered');
}
