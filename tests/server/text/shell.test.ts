/** Values that the server no longer takes, but that an old ledger may have. */
import { expect, test } from 'vitest';
import { readJsonOptions } from '../../../cli/json-options.ts';
import { option, quoted } from '../../../server/text/shell.ts';
import { shellWords } from '../../helpers/server/shell-words.ts';

const VALUES = ['a\0b', '\ud800', "\ud800'; touch PWNED", '\u{1f3e5}', '', '=ls', '\u0600x'];

test.each(['dash', 'bash'])('an option keeps its value in %s', (shell) => {
  const commands = VALUES.map(
    (value) => `clicks lines ${option('--ref', value).map(quoted).join(' ')}`,
  );
  for (const [i, words] of shellWords(shell, commands).entries()) {
    const [first = '', second] = readJsonOptions(words, new Set(['ref']));
    expect(second ?? first.slice('--ref='.length)).toBe(VALUES[i]);
  }
});

test.each(['7', '{"a":1}', "'x'", ''])('the value %j of --ref-json is refused', (value) => {
  expect(() => readJsonOptions(['--ref-json', value], new Set(['ref']))).toThrow(
    '--ref-json must be a text in JSON',
  );
  expect(() => readJsonOptions(['--ref-json'], new Set(['ref']))).toThrow('must be a text in JSON');
});

test('other arguments stay, also those behind --', () => {
  const given = ['lines', '--json', '--other-json', '1', '--', '--ref-json', '"a"'];
  expect(readJsonOptions(given, new Set(['ref']))).toEqual(given);
});
