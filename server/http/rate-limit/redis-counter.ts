/**
 * Requests per key, counted together by all servers that share a Redis. Redis is optional: while it is away
 * or slow, each server counts by itself, and no request waits for it longer than `timeoutMs`.
 */
import { Redis, type Result } from 'ioredis';
import type { Counted } from './memory-counter.ts';
import { TIERS } from './tiers.ts';

/** Interval of attempts to reach a Redis that does not answer, outside of requests. */
const PROBE_MS = 1000;
const LONGEST_RECONNECT_MS = 2000;

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /**
     * @param counts the number of keys; then the keys, the window in milliseconds, and a limit for each key
     * @returns the count, and the milliseconds until the window ends
     */
    countRequest(counts: number, ...rest: (string | number)[]): Result<[number, number], Context>;
  }
}

/** The same algorithm as in tiers.ts, for servers that count together. */
const COUNT_REQUEST = `
  local line
  for tier, key in ipairs(KEYS) do
    local current = redis.call('INCR', key)
    local ttl = redis.call('PTTL', key)
    if ttl < 0 then
      redis.call('PEXPIRE', key, ARGV[1])
      ttl = tonumber(ARGV[1])
    end
    line = line or { current, ttl }
    if current > tonumber(ARGV[tier + 1]) then return { tonumber(ARGV[2]) + 1, ttl } end
  end
  return line`;

interface Log {
  info(message: string): void;
  warn(details: object, message: string): void;
}

export interface RedisCounter {
  /** Counts like `CountTiers`. @returns null if Redis did not count the request */
  count(route: string, address: string, windowMs: number, max: number): Promise<Counted | null>;
  /** Does each server count alone now? */
  isAway(): boolean;
  close(): void;
}

/** @param timeoutMs upper bound for a command, after which Redis counts as down */
export function openRedisCounter(url: URL, timeoutMs: number, log: Log): RedisCounter {
  const redis = connect(url, timeoutMs);
  let away = false;
  let closed = false;
  let probe: NodeJS.Timeout | null = null;

  /** Logs the change once when it begins and once when it ends. */
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
    async count(route, address, windowMs, max) {
      if (away || redis.status !== 'ready') return null;
      const keys = TIERS.map(({ name, keyOf }) => `${route}:${name}:${keyOf(address)}`);
      const limits = TIERS.map(({ factor }) => factor * max);
      try {
        const [current, ttl] = await redis.countRequest(keys.length, ...keys, windowMs, ...limits);
        return { current, ttl };
      } catch (cause) {
        setAway(cause);
        return null;
      }
    },
    isAway: () => away,
    close() {
      closed = true;
      if (probe) clearInterval(probe);
      redis.disconnect();
    },
  };
}

function connect(url: URL, timeoutMs: number): Redis {
  return new Redis(url.href, {
    connectionName: 'sma-data-drive',
    keyPrefix: 'requests:',
    commandTimeout: timeoutMs,
    connectTimeout: LONGEST_RECONNECT_MS,
    // Fails a command that cannot be sent at once.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(50 * 2 ** times, LONGEST_RECONNECT_MS),
    scripts: { countRequest: { lua: COUNT_REQUEST } },
  });
}
