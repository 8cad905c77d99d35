/** Operators follow the log in a terminal, which must obey no text of a stranger. */
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { expect, test } from 'vitest';
import { makeFullBody, type Site, startApp } from '../../helpers/server/server-app.ts';

/**
 * What moves a cursor, turns a text round, stays invisible or ends a line, but for the end of each
 * line.
 */
const OBEYED = /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u;
/** One of each class and at the edges of each. */
const SIGNS = [
  '\0',
  '\x07',
  '\x1b[2J',
  '\r',
  '\n',
  '\x7f',
  '\x80',
  '\x85',
  '\x9b2J',
  '\x9f',
  '\u00ad',
  '\u061c',
  '\u200b',
  '\u200e',
  '\u202a',
  '\u202e',
  '\u2028',
  '\u2029',
  '\u2060',
  '\u2066',
  '\u2069',
  '\ufeff',
  '\ufff9',
  '\u{110bd}',
  '\u{1d173}',
  '\u{e0001}',
  '\u{e007f}',
  '\\u202e',
];
const FIELDS = ['referrer', 'user_agent', 'page_url'] as const;

const textOf = (site: Site, name: string) =>
  readdirSync(site.config.dataDir)
    .filter((file) => file.startsWith(`${name}-2`))
    .map((file) => readFileSync(join(site.config.dataDir, file), 'utf8'))
    .join('');

test('no line of a click has a sign that a terminal obeys, and each line means what was sent', async () => {
  const site = await startApp({ env: { RATE_LIMIT: '0' } });
  for (const sign of SIGNS)
    for (const field of FIELDS) {
      const value = `https://site.example/?é=漢😀&ref=a${sign}b`;
      const body = makeFullBody({ id: v7(), [field]: value });
      expect((await site.postClick(body)).statusCode, JSON.stringify(sign)).toBe(200);
      const [row] = await site.rows(`SELECT ${field} FROM clicks WHERE id = '${body.id}'`);
      expect(site.lines().at(-1)?.[field]).toBe(row?.[field]);
      expect(row?.[field]).toContain('é=漢😀');
    }
  for (const text of [textOf(site, 'clicks'), site.printedText()]) {
    expect(text.split('\n')).toHaveLength(SIGNS.length * FIELDS.length + 1);
    expect(text).not.toMatch(OBEYED);
    expect(text).toContain('é=漢😀');
  }
});

test('nor has a line of a refused click', async () => {
  const site = await startApp({ env: { RATE_LIMIT: '0' } });
  for (const sign of SIGNS) {
    await site.postClick(JSON.stringify({ event: sign, [sign]: 7 }));
    await site.postClick(`{"event":"${sign}`);
  }
  await site.postClick('{}', { 'content-type': 'text/x\x9b2J\x7f\u00ad' });
  expect(textOf(site, 'refused')).not.toMatch(OBEYED);
  expect(site.refused()).toHaveLength(SIGNS.length * 2 + 1);
  const bodies = site.refused().map(({ body }) => body);
  expect(bodies).toContain(`{"event":"\u202e`);
});

test('a click has a line of its own after a command on a full disk has left half a line', async () => {
  const site = await startApp();
  await site.postClick(makeFullBody({ id: v7() }));
  const [file = ''] = readdirSync(site.config.dataDir).filter((name) => /^clicks-2/.test(name));
  appendFileSync(join(site.config.dataDir, file), '{"id":"019c1647-f320-7');
  const next = makeFullBody({ id: v7() });
  await site.postClick(next);
  const lines = textOf(site, 'clicks').trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  expect(JSON.parse(lines[2] as string)).toMatchObject({ id: next.id });
});
