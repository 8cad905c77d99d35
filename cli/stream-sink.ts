/** `npm run stream:sink`: copies every line of the stream into another system. */
import { parseArgs } from 'node:util';
import type { Sink } from '../server/clicks/stream/sinks/sink.ts';
import { readConfig } from '../server/config.ts';
import { print, runProgram } from './run-program.ts';
import { UsageError } from './usage-error.ts';
import { warn } from './warn.ts';

const HELP = `Usage: npm run stream:sink -- --to postgres://user:password@host/warehouse [--name postgres] [--once]

Copies every line of the stream in STREAM_URL to --to, each once, and goes on until it is stopped. It may be stopped at any time: the
next run goes on where this one ended.

  --to    postgres://…  the table click_lines and the view click_facts, for SQL (docs/sql-queries.md)
          redis://…     the Redis stream "clicks"
          kafka://host:9092  the Kafka topic "clicks"; after a crash some lines are there twice, with the same key
  --name  of this copy in the stream (the kind of --to). Two copies need two names
  --once  ends when everything is copied
`;

const options = {
  help: { type: 'boolean', short: 'h' },
  to: { type: 'string' },
  name: { type: 'string' },
  once: { type: 'boolean' },
} as const;

/** By protocol. Each loads its own client. */
const SINKS: Record<string, (url: URL) => Promise<Sink>> = {
  postgres: async (url) =>
    (await import('../server/clicks/stream/sinks/postgres-sink.ts')).openPostgresSink(url),
  redis: async (url) =>
    (await import('../server/clicks/stream/sinks/redis-sink.ts')).openRedisSink(url),
  kafka: async (url) =>
    (await import('../server/clicks/stream/sinks/kafka-sink.ts')).openKafkaSink(url),
};

await runProgram(HELP, async () => {
  const { values } = parseArgs({ options });
  if (values.help) return print(HELP);
  const to = URL.parse(values.to ?? '');
  const kind = to?.protocol.replace(/(ql)?:$/, '') ?? '';
  const open = Object.hasOwn(SINKS, kind) ? SINKS[kind] : undefined;
  if (!to || !open)
    throw new UsageError('--to must be a URL like postgres://…, redis://… or kafka://…');
  const name = values.name ?? kind;
  if (!/^[\w-]{1,32}$/.test(name))
    throw new UsageError('--name must be letters, digits and dashes');
  const { stream } = readConfig(process.env);
  if (!stream) throw new UsageError('STREAM_URL is not set');
  const { feedSink } = await import('../server/clicks/stream/sinks/feed-sink.ts');
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => stopping.abort());
  const sink = await open(to);
  let copied = 0;
  await feedSink({
    ...{ address: stream.address, name, sink, signal: stopping.signal },
    once: values.once === true,
    onWritten(lines) {
      copied += lines;
    },
    onFault: (message) => warn(`${message} Trying again.`),
  }).finally(() => sink.close());
  print(`${copied} lines were copied to ${to.host}.\n`);
});
