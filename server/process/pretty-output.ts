/** Writes lines for people, in a terminal. Everywhere else, lines are JSON (docs/log-lines.md). */
import { printable } from '../text/printable.ts';
import type { Output } from './standard-output.ts';

/** Names and terminal colours by pino's levels. */
const LEVELS: Record<number, [name: string, colour: number]> = {
  20: ['debug', 90],
  30: ['info', 32],
  40: ['WARN', 33],
  50: ['ERROR', 31],
  60: ['FATAL', 31],
};
const CLICK: [string, number] = ['click', 36];

type Line = Record<string, unknown>;

/** @param hasColours false: the terminal has none, or NO_COLOR is set */
export function prettyOutput(output: Output, hasColours: boolean): Output {
  return {
    ...output,
    write(text) {
      const lines = String(text).split('\n').filter(Boolean);
      output.write(lines.map((line) => `${prettyLine(line, hasColours)}\n`).join(''));
    },
  };
}

/** Formats a line of the log or of the ledger. A line that is not JSON stays as it is. */
export function prettyLine(text: string, hasColours: boolean): string {
  const line = parse(text);
  if (line === null) return printable(text);
  const { level, time, msg } = line;
  const [name, colour] = msg === undefined ? CLICK : (LEVELS[Number(level)] ?? ['log', 0]);
  const tag = name.padEnd(5);
  const clock = new Date(Number(time)).toTimeString().slice(0, 8);
  const words = msg === undefined ? clickWords(line) : logWords(line);
  return `${clock} ${hasColours ? `\x1b[${colour}m${tag}\x1b[0m` : tag} ${words}`;
}

function clickWords({ event, referrer, via, screen_class, remote_ip, ...line }: Line): string {
  const words = [
    event,
    `ref ${referrer ?? '-'}`,
    via,
    screen_class,
    remote_ip,
    line.is_bot && 'robot',
    line.private && 'private',
  ];
  return printable(words.filter(Boolean).join('  '));
}

function logWords({ level, time, pid, hostname, msg, err, ...rest }: Line): string {
  const more = Object.entries(rest).map(([name, value]) => `${name}=${textOf(value)}`);
  const words = printable([msg, ...more].join('  '));
  const stack = (err as { stack?: unknown } | undefined)?.stack;
  if (stack === undefined) return words;
  const trace = String(stack)
    .split('\n')
    .map((one) => `\n         ${printable(one)}`);
  return words + trace.join('');
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

function parse(text: string): Line | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
