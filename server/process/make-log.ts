/**
 * The server's own log. It writes warnings and errors with the same text a few times a minute and counts the rest. Otherwise a
 * stranger who causes a thousand warnings a second could fill the disk.
 */
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

/** Upper bounds per interval for lines with the same text, and for all lines together. */
const SAME_TEXT = 10;
const IN_ALL = 100;
const INTERVAL_MS = 60_000;
const WARN = pino.levels.values.warn ?? 40;

/** @param level the least severe level in the log: debug, info, warn, error, silent */
export function makeLog(level: string, stream: DestinationStream): Logger {
  let written = new Map<string, number>();
  let inAll = 0;
  let leftOut = 0;
  let isCounting = false;

  const sumUp = () => {
    const count = leftOut;
    written = new Map();
    inAll = leftOut = 0;
    isCounting = false;
    if (count > 0) log.warn(`Left out ${count} warnings and errors of the last minute`);
  };
  /** Counts a line. @returns whether to write it */
  const admit = (text: string): boolean => {
    if (!isCounting) setTimeout(sumUp, INTERVAL_MS).unref();
    isCounting = true;
    const same = (written.get(text) ?? 0) + 1;
    if (same > SAME_TEXT || inAll >= IN_ALL) {
      leftOut += 1;
      return false;
    }
    written.set(text, same);
    inAll += 1;
    return true;
  };
  const logMethod: NonNullable<LoggerOptions['hooks']>['logMethod'] = function (
    args,
    method,
    methodLevel,
  ) {
    if (methodLevel < WARN || admit(textOf(args))) method.apply(this, args);
  };
  const log = pino({ level, hooks: { logMethod } }, stream);
  return log;
}

/** This project logs in two forms: `log.error({ err }, 'text')` and `log.error('text')`. */
function textOf(args: readonly unknown[]): string {
  return String(args.find((arg) => typeof arg === 'string') ?? '');
}
