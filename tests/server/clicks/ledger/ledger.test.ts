import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../../../server/clicks/ledger/ledger.ts';
import { makeDataDir } from '../../../helpers/server/server-app.ts';

function open(before?: string | Buffer) {
  const path = join(makeDataDir(), 'clicks.jsonl');
  if (before !== undefined) writeFileSync(path, before);
  const torn: string[] = [];
  const ledger = openLedger(path, (tail) => torn.push(tail));
  onTestFinished(() => ledger.close());
  return { ledger, path, torn, text: () => readFileSync(path, 'utf8') };
}

describe('a group', () => {
  test('is written completely by a flush', async () => {
    const { ledger, text } = open();
    ledger.write('{"n":1}\n');
    ledger.write('{"n":2}\n');
    expect(text()).toBe('');
    const flushed = await ledger.flush();
    expect(flushed.text.toString()).toBe('{"n":1}\n{"n":2}\n');
    expect(flushed.position.offset).toBe(16);
    expect(text()).toBe('{"n":1}\n{"n":2}\n');
  });

  test('can be dropped before the flush, and undone after it', async () => {
    const { ledger, text } = open('{"n":0}\n');
    ledger.write('{"n":1}\n');
    ledger.discard();
    await ledger.flush();
    ledger.write('{"n":2}\n');
    await ledger.flush();
    ledger.undo();
    expect(text()).toBe('{"n":0}\n');
    ledger.write('{"n":3}\n');
    await ledger.flush();
    expect(text()).toBe('{"n":0}\n{"n":3}\n');
  });

  test('is counted in bytes', async () => {
    const { ledger } = open();
    ledger.write('{"ref":"Zürich 💙"}\n');
    const { position } = await ledger.flush();
    expect(position.offset).toBe(Buffer.byteLength('{"ref":"Zürich 💙"}\n'));
  });
});

describe('an incomplete end after a crash', () => {
  const long = `{"referrer":"${'x'.repeat(200_000)}`;
  const cases: [name: string, before: string, torn: string[], after: string][] = [
    ['nothing', '{"n":1}\n', [], '{"n":1}\n'],
    ['half a line', '{"n":1}\n{"n":', ['{"n":'], '{"n":1}\n'],
    ['half a line and nothing else', '{"n":', ['{"n":'], ''],
    ['half a very long line', `{"n":1}\n${long}`, [long], '{"n":1}\n'],
    ['zeros, as a power cut leaves them', '{"n":1}\n\0\0\0', ['\0\0\0'], '{"n":1}\n'],
    ['a whole line without its newline', '{"n":1}\n{"n":2}', [], '{"n":1}\n{"n":2}\n'],
  ];
  test.each(cases)('(%s) does not swallow the next line', async (_name, before, torn, after) => {
    const opened = open(before);
    expect(opened.torn).toEqual(torn);
    opened.ledger.write('{"n":9}\n');
    await opened.ledger.flush();
    expect(opened.text()).toBe(`${after}{"n":9}\n`);
  });
});
