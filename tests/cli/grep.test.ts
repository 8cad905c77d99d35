import { appendFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { line, makeLedger } from '../helpers/server/ledger-lines.ts';
import { runCli } from '../helpers/server/run-cli.ts';

const grep = (args: string[], dataDir: string) =>
  runCli('clicks.ts', ['grep', ...args], { DATA_DIR: dataDir });

const OLD = '2026-01-31T09:30:00.000Z';

test('grep prints the whole lines that match, of all files of several ledgers', async () => {
  const [a, b] = [makeLedger(line(1), line(2)), makeLedger(line(3), 'clinic-7 garbage')];
  writeFileSync(`${a.ledger}.1.gz`, gzipSync(`${line(4)}\n`));
  const { out, code } = await grep(['clinic-7', '--ledger', b.dataDir], a.dataDir);
  expect([code, out]).toEqual([
    0,
    `${[line(4), line(1), line(2), line(3)].join('\n')}\nclinic-7 garbage\n`,
  ]);
});

test('grep matches one field, and prints chosen columns', async () => {
  const { dataDir } = makeLedger(
    line(1, { referrer: 'Zürich\u001b[2J', campaign: { utm_source: 'cure-sma' } }),
    line(2, { page_url: 'https://site.example/?ref=Zürich' }),
    'garbage',
  );
  const args = ['--columns', 'event,referrer,campaign.utm_source,is_bot'];
  const one = await grep(['^zür', '--field', 'referrer', '-i', ...args], dataDir);
  expect(one.out).toBe('hero_cta_click\tZürich�[2J\tcure-sma\tfalse\n');
  const deep = await grep(['sma', '--field', 'campaign.utm_source', '--columns', 'all'], dataDir);
  expect(deep.out).toMatch(/^20.* hero_cta_click {4}Zürich�\[2J {8}-.*000000000001\n$/);
});

test('grep keeps to --since and --limit, and says when there is more or nothing', async () => {
  const { dataDir, ledger } = makeLedger(line(1, { received_at: OLD }), line(2), line(3));
  const since = await grep(['hero', '--since', '7d', '--columns', 'id'], dataDir);
  expect(since.out.match(/\d$/gm)).toEqual(['2', '3']);
  const limited = await grep(['hero', '--limit', '2', '--columns', 'id'], dataDir);
  expect(limited.out.match(/\d$/gm)).toEqual(['1', '2']);
  expect(limited).toMatchObject({ code: 0, err: 'There are more lines than --limit 2.\n' });
  appendFileSync(ledger, 'garbage\n');
  expect(await grep(['nothing'], dataDir)).toEqual({ code: 1, out: '', err: 'No line matches.\n' });
});

test.each([
  [[], 'grep needs a pattern'],
  [['('], 'The pattern is not a regular expression'],
  [['a', 'b'], 'Unexpected argument "b"'],
  [['a', '--since', 'monday'], '--since must be'],
])('grep names the fault of the arguments %j', async (args, message) => {
  const { code, err } = await grep(args, makeLedger(line(1)).dataDir);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
