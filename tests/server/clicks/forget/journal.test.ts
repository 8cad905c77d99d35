/** `clicks forget` that was killed between two writes. */
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findClicks } from '../../../../server/clicks/forget/find-clicks.ts';
import { buryClick } from '../../../../server/clicks/forget/wanted.ts';
import { line, makeLedger } from '../../../helpers/server/ledger-lines.ts';
import { runCli } from '../../../helpers/server/run-cli.ts';
import { startApp } from '../../../helpers/server/server-app.ts';

const VISIT = '019c1234-5678-7abc-8def-00000000cafe';
const NOW = '2026-11-22T10:00:00.000Z';

/** Leaves the journal, the first tombstone, and half of the second one. */
async function crash() {
  const made = makeLedger(line(1, { visit_id: VISIT }), line(2), line(3, { visit_id: VISIT }));
  const { dataDir, ledger } = made;
  const wanted = { visits: new Set([VISIT]), address: null };
  const found = (await Array.fromAsync(findClicks(ledger, wanted))).flat();
  const patches = found.map(({ click, bytes, offset }) => ({
    offset,
    to: buryClick(click, bytes.length, NOW),
  }));
  const journal = join(dataDir, 'clicks.forget.json');
  const inode = String(statSync(ledger, { bigint: true }).ino);
  writeFileSync(
    journal,
    JSON.stringify({ file: 'clicks.jsonl', inode, forgotten_at: NOW, patches }),
  );
  const bytes = readFileSync(ledger);
  const [first, second] = patches;
  bytes.write(first?.to ?? '', first?.offset ?? 0);
  bytes.write(second?.to.slice(0, 60) ?? '', second?.offset ?? 0);
  writeFileSync(ledger, bytes);
  expect(() =>
    bytes
      .toString()
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text)),
  ).toThrow();
  return { ...made, journal };
}

const expectFinished = ({ ledger, journal }: { ledger: string; journal: string }) => {
  const text = readFileSync(ledger, 'utf8');
  expect(text.includes(VISIT)).toBe(false);
  const lines = text
    .trim()
    .split('\n')
    .map((one) => JSON.parse(one));
  expect(lines.map(({ forgotten_at }) => forgotten_at)).toEqual([NOW, undefined, NOW]);
  expect(existsSync(journal)).toBe(false);
};

test('is completed by the next server, before it counts', async () => {
  const crashed = await crash();
  const { app, logged } = await startApp({ dataDir: crashed.dataDir });
  expectFinished(crashed);
  expect((await app.inject('/api/stats')).json().clicks.total).toBe(3);
  expect(logged().map(({ msg }) => msg)).toContain(
    `Completed the forgetting of clicks in ${crashed.ledger}, which a crash had interrupted`,
  );
});

test('is completed by the next run, next to a server that did not restart', async () => {
  const crashed = await crash();
  const { err } = await runCli('clicks.ts', ['forget', '--visit', VISIT], {
    DATA_DIR: crashed.dataDir,
  });
  expect(err).toContain('Completed the forgetting');
  expectFinished(crashed);
});
