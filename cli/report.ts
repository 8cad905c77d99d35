/** `clicks report`: clicks per day, call to action and ref, out of the ledger. */
import { ledgerClicks } from './ledger-clicks.ts';
import { readCount } from './usage-error.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface Row {
  day: string;
  event: string;
  ref: string;
  clicks: number;
  bots: number;
}

export async function report(
  paths: string[],
  options: { days?: string | undefined },
  print: (text: string) => void,
  now = Date.now(),
): Promise<void> {
  const days = readCount('days', options.days, 30);
  const since = new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10);
  const rows = new Map<string, Row>();
  for await (const { received_at, event, referrer, is_bot } of ledgerClicks(paths)) {
    const day = received_at.slice(0, 10);
    if (day < since) continue;
    const ref = referrer ?? '';
    const key = JSON.stringify([day, event, ref]);
    const row = rows.get(key) ?? { day, event, ref, clicks: 0, bots: 0 };
    row[is_bot ? 'bots' : 'clicks'] += 1;
    rows.set(key, row);
  }
  print(format([...rows.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)));
}

function format(rows: Row[]): string {
  const table = [
    ['day', 'event', 'clicks', 'bots', 'ref'],
    ...rows.map((row) => [row.day, row.event, `${row.clicks}`, `${row.bots}`, printable(row.ref)]),
  ];
  const widths = [0, 1, 2, 3].map((i) => Math.max(...table.map((cells) => cells[i]?.length ?? 0)));
  const lines = table.map((cells) =>
    cells
      .map((cell, i) =>
        i === 2 || i === 3 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  const total = rows.reduce((sum, row) => sum + row.clicks, 0);
  return `${lines.join('\n')}\n\n${total} clicks without robots; days are UTC.\n`;
}

/** A visitor chose it: it must not move the cursor of an operator's terminal. */
const printable = (ref: string) => (ref === '' ? '-' : ref.replace(/[\p{Cc}\p{Cf}]/gu, '?'));
