/**
 * Requests per key, counted together by all servers that share a Redis. Redis is a help and no condition: while it is
 * away or slow every server counts by itself, and no request waits for it longer than TIMEOUT_MS.
 */
import { Redis, type Result } from 'ioredis';
import type { Counted } from './memory-counter.ts';

const TIMEOUT_MS = 100;
/** So often a Redis that did not answer is asked again, by nobody's request. */
const PROBE_MS = 1000;
const LONGEST_RECONNECT_MS = 2000;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** @returns how many, and for how many milliseconds they count */
    countRequest(key: string, windowMs: number): Result<[number, number], Context>;
  }
}

const COUNT_REQUEST = `
  local current = redis.call('INCR', KEYS[1])
  local ttl = redis.call('PTTL', KEYS[1])
  if ttl < 0 then
    redis.call('PEXPIRE', KEYS[1], ARGV[1])
    ttl = tonumber(ARGV[1])
  end
  return { current, ttl }`;

interface Log {
  info(message: string): void;
  warn(details: object, message: string): void;
}

export interface RedisCounter {
  /** @returns null when Redis did not count it */
  count(key: string, windowMs: number): Promise<Counted | null>;
  close(): void;
}

export function openRedisCounter(url: URL, log: Log): RedisCounter {
  const redis = connect(url);
  let away = false;
  let closed = false;
  let probe: NodeJS.Timeout | null = null;

  /** Said once when it begins and once when it ends. */
  const setAway = (err: unknown) => {
    if (!away) log.warn({ err }, 'Redis is away: each server counts requests by itself');
    away = true;
    probe ??= setInterval(lookAgain, PROBE_MS).unref();
  };
  const lookAgain = async () => {
    const answers = await redis.ping().then(
      () => true,
      () => false,
    );
    if (!answers || !away) return;
    away = false;
    if (probe) clearInterval(probe);
    probe = null;
    log.info('Redis is back: requests are counted together again');
  };
  redis.on('error', setAway);
  redis.on('close', () => {
    if (!closed) setAway(new Error('The connection ended'));
  });

  return {
    async count(key, windowMs) {
      if (away || redis.status !== 'ready') return null;
      try {
        const [current, ttl] = await redis.countRequest(key, windowMs);
        return { current, ttl };
      } catch (cause) {
        setAway(cause);
        return null;
      }
    },
    close() {
      closed = true;
      if (probe) clearInterval(probe);
      redis.disconnect();
    },
  };
}

function connect(url: URL): Redis {
  return new Redis(url.href, {
    connectionName: 'sma-data-drive',
    keyPrefix: 'requests:',
    commandTimeout: TIMEOUT_MS,
    connectTimeout: LONGEST_RECONNECT_MS,
    // A command that cannot leave at once is not worth waiting for.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(50 * 2 ** times, LONGEST_RECONNECT_MS),
    scripts: { countRequest: { lua: COUNT_REQUEST, numberOfKeys: 1 } },
  });
}
