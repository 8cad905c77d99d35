/** The shipper reads up to the indexed part, which may end in a rotated file while the index catches up. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LedgerPosition } from '../../../../server/clicks/ledger/ledger.ts';
import { linesAfter } from '../../../../server/clicks/ledger/lines-after.ts';
import { newId } from '../../../../server/database/new-id.ts';
import { makeDataDir } from '../../../helpers/server/server-app.ts';

test('reads no file after the end, and the rest with the next end', async () => {
  const ledger = join(makeDataDir(), 'clicks.jsonl');
  const older = writeLedger(`${ledger}-20261101`, 3);
  const newer = writeLedger(ledger, 2);
  const inOlder = { ...older.place, offset: older.bytesOf(2) };
  const atEnd = { ...newer.place, offset: newer.bytesOf(2) };

  const first = await read(ledger, null, inOlder);
  expect(first.ids).toEqual(older.ids.slice(0, 2));
  const rest = await read(ledger, first.after, atEnd);
  expect(rest.ids).toEqual([older.ids[2], ...newer.ids]);
  expect((await read(ledger, rest.after, atEnd)).ids).toEqual([]);
});

function writeLedger(file: string, count: number) {
  const ids = Array.from({ length: count }, () => newId());
  const lines = ids.map((id) => `${JSON.stringify({ level: 30, id })}\n`);
  writeFileSync(file, lines.join(''));
  const inode = String(statSync(file, { bigint: true }).ino);
  return {
    ids,
    place: { file: inode, first: ids[0] ?? '', offset: 0 },
    bytesOf: (n: number) => Buffer.byteLength(lines.slice(0, n).join('')),
  };
}

async function read(ledger: string, known: LedgerPosition | null, current: LedgerPosition) {
  const ids: string[] = [];
  let after = known;
  for await (const part of linesAfter(ledger, known, current, () => {})) {
    ids.push(...part.map(({ text }) => JSON.parse(text).id));
    after = part.at(-1)?.after ?? after;
  }
  return { ids, after };
}
