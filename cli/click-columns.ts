/** Shows lines of the ledger as aligned columns, for people. */
import { styleText } from 'node:util';
import { z } from 'zod';
import { parseLine } from '../server/clicks/ledger/parse-line.ts';
import { parseTombstone } from '../server/clicks/ledger/tombstone.ts';
import { printable } from '../server/text/printable.ts';

/** Colours of node:util, which honour NO_COLOR. */
type Colour = 'dim' | 'cyan' | 'yellow' | 'magenta' | 'red';

interface Column {
  name: string;
  /** Least width, so that the columns stay in place from one line to the next. */
  width: number;
  colour?: Colour;
}

const COLUMNS: Column[] = [
  { name: 'received (UTC)', width: 23, colour: 'dim' },
  { name: 'event', width: 16, colour: 'cyan' },
  { name: 'ref', width: 16, colour: 'yellow' },
  { name: 'device', width: 7 },
  { name: 'via', width: 6 },
  { name: 'address', width: 15 },
  { name: 'marks', width: 13, colour: 'magenta' },
  { name: 'id', width: 36, colour: 'dim' },
];

export interface ColumnPrinter {
  header(): string;
  /** @returns one line of text with its newline */
  row(line: string): string;
}

/** @param stream standard output. Only a terminal gets colours; NO_COLOR turns them off. */
export function createColumns(stream: NodeJS.WriteStream): ColumnPrinter {
  const widths = COLUMNS.map(({ width }) => width);
  const paint = (text: string, colour: Colour | undefined) =>
    colour && stream.isTTY ? styleText(colour, text, { stream }) : text;
  /** A longer value makes its column wider from then on. */
  const cell = (text: string, i: number) => {
    const width = lengthOf(text);
    widths[i] = Math.max(widths[i] ?? 0, width);
    const isLast = i === COLUMNS.length - 1;
    return isLast ? text : text + ' '.repeat(widths[i] - width);
  };
  const join = (cells: readonly string[], colourOf: (i: number) => Colour | undefined) =>
    `${cells.map((text, i) => paint(cell(text, i), colourOf(i))).join('  ')}\n`;
  return {
    header: () =>
      join(
        COLUMNS.map(({ name }) => name),
        () => 'dim',
      ),
    row(line) {
      const cells = cellsOf(line);
      if (cells === null) return `${paint(`not a click: ${printable(line)}`, 'red')}\n`;
      return join(cells, (i) => COLUMNS[i]?.colour);
    },
  };
}

const addressSchema = z.object({ ip: z.string().nullish() }).catch({});

function cellsOf(text: string): string[] | null {
  const line = parseLine(text);
  if (!line) return cellsOfTombstone(text);
  const address = line.remote_ip ?? addressSchema.parse(JSON.parse(text)).ip;
  const device = line.is_mobile === undefined ? '-' : line.is_mobile ? 'mobile' : 'desktop';
  const marks = [...(line.is_bot ? ['robot'] : []), ...(line.private ? ['private'] : [])];
  return [
    line.received_at.replace('T', ' ').replace('Z', ''),
    line.event,
    line.referrer ?? '-',
    device,
    line.via ?? '-',
    address ?? '-',
    marks.join(',') || '-',
    line.id,
  ].map(printable);
}

/** Of a click that `clicks forget` removed. */
function cellsOfTombstone(text: string): string[] | null {
  const stone = parseTombstone(text);
  if (!stone) return null;
  const received = stone.received_at.replace('T', ' ').replace('Z', '');
  return [received, stone.event, '-', '-', '-', '-', 'forgotten', stone.id].map(printable);
}

/** Characters as people see them. */
const lengthOf = (text: string) =>
  /^[ -~]*$/.test(text) ? text.length : [...new Intl.Segmenter().segment(text)].length;
