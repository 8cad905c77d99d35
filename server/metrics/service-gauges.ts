/** Figures about what the server needs: its disk and index together, PostgreSQL, Redis, the clock. */
import type { ClickIndex } from '../clicks/index/click-index.ts';
import type { Recorder } from '../clicks/record-clicks.ts';
import type { Config } from '../config.ts';
import type { GaugeSource } from './gauges.ts';

/** A database that is silent for this long is away. Below the patience of a scrape, so that the figure is 0 and not missing. */
const SILENT_MS = 1000;

export interface ServiceParts {
  config: Pick<Config, 'databaseUrl' | 'redisUrl'>;
  recorder: Pick<Recorder, 'fault'>;
  clickIndex: Pick<ClickIndex, 'ping'>;
  isRedisAway(): boolean;
  /** Resolves with null while the time is not trusted. */
  clock: { now(): Promise<number | null> };
}

export function serviceGauges(parts: ServiceParts): GaugeSource[] {
  const { config, recorder, clickIndex, isRedisAway, clock } = parts;
  const isIndexThere = () => isWithin(clickIndex.ping(), SILENT_MS);
  const sources: GaugeSource[] = [
    {
      name: 'site_ready',
      help: '1 while the server can keep a click, as GET /readyz says',
      read: async () => Number((await recorder.fault()) === null && (await isIndexThere())),
    },
    {
      name: 'site_clock_suspect',
      help: '1 while the clock is so far ahead that nothing is deleted by age',
      read: async () => Number((await clock.now()) === null),
    },
  ];
  if (config.databaseUrl)
    sources.push({
      name: 'site_postgres_up',
      help: '1 while PostgreSQL answers',
      read: async () => Number(await isIndexThere()),
    });
  if (config.redisUrl)
    sources.push({
      name: 'site_redis_up',
      help: '1 while Redis answers; otherwise each server counts requests alone',
      read: () => Number(!isRedisAway()),
    });
  return sources;
}

async function isWithin(answer: Promise<unknown>, limitMs: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const limit = setTimeout(resolve, limitMs, false);
  const there = answer.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([there, late]);
  } finally {
    clearTimeout(limit);
  }
}
