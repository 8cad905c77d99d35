/**
 * Lines in a Redis stream, for programs that follow clicks live: `XREAD STREAMS clicks 0`. An entry's id is the line's number in the
 * stream, which only grows, so Redis itself rejects a line that it has.
 */
import { Redis } from 'ioredis';
import type { Sink } from './sink.ts';

const KEY = 'clicks';
const IS_THERE = 'equal or smaller';

/** @throws (rejects) if Redis does not answer */
export async function openRedisSink(url: URL): Promise<Sink> {
  const redis = new Redis(url.href, { lazyConnect: true, maxRetriesPerRequest: 1 });
  redis.on('error', () => {});
  await redis.connect();
  return {
    async write(lines) {
      const pipeline = redis.pipeline();
      for (const { id, ledgerId, sequence, text } of lines)
        pipeline.xadd(KEY, `${sequence}-0`, 'id', id, 'ledger', ledgerId, 'line', text);
      for (const [cause] of (await pipeline.exec()) ?? [])
        if (cause && !cause.message.includes(IS_THERE)) throw cause;
    },
    async close() {
      redis.disconnect();
    },
  };
}
