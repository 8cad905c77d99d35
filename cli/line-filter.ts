/** Chooses lines of the ledger by event, ref and time of reception. */
import { parseLine } from '../server/clicks/ledger/parse-line.ts';

export interface FilterOptions {
  event?: string[] | undefined;
  /** '' chooses clicks without a ref. */
  ref?: string[] | undefined;
  /** Milliseconds since 1970; 0: all. */
  since: number;
}

/** @returns a function that never chooses a line that is not a click, unless there is nothing to choose by */
export function lineFilter({ event, ref, since }: FilterOptions): (line: string) => boolean {
  if (!event && !ref && since === 0) return () => true;
  return (line) => {
    const click = parseLine(line);
    return (
      click !== null &&
      (!event || event.includes(click.event)) &&
      (!ref || ref.includes(click.referrer ?? '')) &&
      Date.parse(click.received_at) >= since
    );
  };
}

/** @returns milliseconds since 1970; null: the line is not a click */
export function receivedAt(line: string): number | null {
  const click = parseLine(line);
  return click && Date.parse(click.received_at);
}
