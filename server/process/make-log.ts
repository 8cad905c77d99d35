/**
 * The server's own log. It writes warnings and errors with the same text a few times a minute and counts the rest. Otherwise a
 * stranger who causes a thousand warnings a second could fill the disk.
 */
import { type DestinationStream, type Logger, pino } from 'pino';

/** Upper bound per interval for lines with the same text. */
const SAME_TEXT = 10;
const INTERVAL_MS = 60_000;
const WARN = pino.levels.values.warn ?? 40;

export function makeLog(level: string, stream: DestinationStream): Logger {
  const written = new Map<string, number>();
  const sumUp = () => {
    const leftOut = written.values().reduce((sum, n) => sum + Math.max(0, n - SAME_TEXT), 0);
    written.clear();
    if (leftOut > 0) log.warn(`Left out ${leftOut} warnings and errors of the last minute`);
  };
  const admit = (text: string): boolean => {
    if (written.size === 0) setTimeout(sumUp, INTERVAL_MS).unref();
    const same = (written.get(text) ?? 0) + 1;
    written.set(text, same);
    return same <= SAME_TEXT;
  };
  const log = pino(
    {
      level,
      hooks: {
        logMethod(args: unknown[], method, methodLevel) {
          // This project logs in two forms: `log.error({ err }, 'text')` and `log.error('text')`.
          const text = args.find((arg) => typeof arg === 'string');
          if (methodLevel < WARN || admit(text ?? '')) method.apply(this, args as [string]);
        },
      },
    },
    stream,
  );
  return log;
}
