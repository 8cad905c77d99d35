/** The lines of a ledger that the stream does not have. */
import type { LedgerPosition } from '../ledger/ledger.ts';
import { linesAfter, type PlacedLine } from '../ledger/lines-after.ts';
import { parseLine } from '../ledger/parse-line.ts';
import { parseTombstone } from '../ledger/tombstone.ts';
import type { ClickStream, Kept, StreamLine } from './click-stream.ts';

/** A stop counts no more lines than this. */
const MOST_COUNTED = 100_000;

export interface ShippedLedger {
  path: string;
  /** Ships the lines before this place; null: none yet. */
  end(): LedgerPosition | null;
}

export interface ShipperLog {
  info(message: string): void;
  warn(message: string): void;
}

/** Ships what the ledger has now. Yields after each part what the stream then has. */
export async function* shipLines(
  stream: ClickStream,
  { confirmed, later }: Kept,
  { path, end }: ShippedLedger,
  log: ShipperLog,
): AsyncGenerator<Kept> {
  const to = end();
  if (to === null) return;
  const warn = (message: string) => log.warn(message);
  for await (const lines of linesAfter(path, confirmed.position, to, warn)) {
    const placed = lines.map(toStreamLine);
    const missing = placed.filter(({ id }) => !later.has(id));
    const sequence =
      missing.length > 0 ? await stream.append(missing, confirmed) : confirmed.sequence;
    for (const { id } of placed) later.delete(id);
    confirmed = { position: lines.at(-1)?.after ?? null, sequence };
    yield { confirmed, later };
  }
}

/** A tombstone has its click's id, because the stream may have the tombstone already. */
function toStreamLine({ text, after }: PlacedLine): StreamLine {
  const click = parseLine(text) ?? parseTombstone(text);
  return { id: click?.id ?? `${after.first} ${after.offset}`, text };
}

/** Says what a stop leaves on this disk only. */
export async function warnOfRest(
  { path, end }: ShippedLedger,
  reached: Kept['confirmed'] | null,
  { message }: Error,
  log: ShipperLog,
): Promise<void> {
  const to = end();
  if (to === null) return;
  const advice = 'Keep DATA_DIR: the server ships them when it runs again';
  if (!reached)
    return log.warn(
      `Stopping, and the stream has not said which lines it lacks: ${message}. ${advice}`,
    );
  let lines = 0;
  for await (const part of linesAfter(path, reached.position, to, () => {})) {
    lines += part.length;
    if (lines >= MOST_COUNTED) break;
  }
  const count = lines >= MOST_COUNTED ? `at least ${lines}` : lines;
  if (lines > 0) log.warn(`Stopping, and the stream lacks ${count} lines: ${message}. ${advice}`);
}
