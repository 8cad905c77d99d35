import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { line, makeLedger } from '../helpers/server/ledger-lines.ts';
import { runCli } from '../helpers/server/run-cli.ts';

const grep = (args: string[], dataDir: string) =>
  runCli('clicks.ts', ['grep', ...args], { DATA_DIR: dataDir });

test('grep prints the whole lines that match, of all files of several ledgers', async () => {
  const [a, b] = [makeLedger(line(1), line(2)), makeLedger(line(3), 'clinic-7 garbage')];
  writeFileSync(`${a.ledger}.1.gz`, gzipSync(`${line(4)}\n`));
  const { out, code } = await grep(['clinic-7', '--ledger', b.dataDir], a.dataDir);
  expect([code, out]).toEqual([
    0,
    `${[line(4), line(1), line(2), line(3)].join('\n')}\nclinic-7 garbage\n`,
  ]);
});
