/**
 * The server's log about itself. Whatever a stranger can provoke a thousand times a second must not fill the disk:
 * warnings and errors with the same text are written a few times a minute, the rest is counted and summed up.
 */
import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

/** Lines with the same text, and all lines together, that are written within one interval. */
const SAME_TEXT = 10;
const IN_ALL = 100;
const INTERVAL_MS = 60_000;
const WARN = pino.levels.values.warn ?? 40;

/** @param level least severe level that is written: debug, info, warn, error, silent */
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
  /** Counts one more. @returns whether it is still written */
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

/** `log.error({ err }, 'text')` and `log.error('text')` are the two ways this project logs. */
function textOf(args: readonly unknown[]): string {
  return String(args.find((arg) => typeof arg === 'string') ?? '');
}
