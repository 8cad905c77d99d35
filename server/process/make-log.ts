/**
 * The server's own log. It writes warnings and errors with the same text a few times a minute and counts the rest. Otherwise a
 * stranger who causes a thousand warnings a second could fill the disk.
 */
import { type DestinationStream, type Logger, pino } from 'pino';

/** Upper bounds per interval for lines with the same text, and for all lines together. */
const SAME_TEXT = 10;
const IN_ALL = 100;
const INTERVAL_MS = 60_000;
const WARN = pino.levels.values.warn ?? 40;

export function makeLog(level: string, stream: DestinationStream): Logger {
  const written = new Map<string, number>();
  let inAll = 0;
  let leftOut = 0;
  const sumUp = () => {
    const count = leftOut;
    written.clear();
    inAll = leftOut = 0;
    if (count > 0) log.warn(`Left out ${count} warnings and errors of the last minute`);
  };
  const admit = (text: string): boolean => {
    if (inAll === 0) setTimeout(sumUp, INTERVAL_MS).unref();
    const same = (written.get(text) ?? 0) + 1;
    if (same > SAME_TEXT || inAll >= IN_ALL) {
      leftOut += 1;
      return false;
    }
    written.set(text, same);
    inAll += 1;
    return true;
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
