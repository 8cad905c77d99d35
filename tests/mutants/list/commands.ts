/** Commands for operators, and what a start says. */
import type { Mutant } from '../try-mutants.ts';

const TAIL = 'tests/cli/tail.test.ts';
const VERIFY = 'tests/cli/verify.test.ts';
const FILES = 'tests/cli/send-mail-files.test.ts';

export const COMMANDS: readonly Mutant[] = [
  {
    name: 'tail skips what the server writes into a rotated file',
    file: 'cli/follow-ledger.ts',
    find: 'const at = inodes.indexOf(',
    replace: 'const at = inodes.slice(-1).indexOf(',
    tests: [TAIL],
    title: 'goes on through a rotation',
  },
  {
    name: 'tail has colours in a file',
    file: 'cli/click-columns.ts',
    find: 'colour && stream.isTTY ? styleText(colour, text, { stream })',
    replace: 'colour ? styleText(colour, text, { validateStream: false })',
    tests: [TAIL],
    title: 'aligned columns',
  },
  {
    name: 'verify does not see a click that only the index has',
    file: 'cli/verify/compare-index.ts',
    find: 'const left = suspects.filter((id) => !logged.seen.has(id));',
    replace: 'const left = suspects.slice(suspects.length);',
    tests: [VERIFY],
    title: 'says how the index differs',
  },
  {
    name: 'rebuild makes an empty index of other ledgers',
    file: 'cli/clicks.ts',
    find: 'if (isNamed || folders.length > 1) throw',
    replace: 'if (isNamed && folders.length > 9) throw',
    tests: ['tests/cli/clicks.test.ts'],
    title: 'refuses to make an index',
  },
  {
    name: 'a mail whose answer was lost is sent again',
    file: 'cli/send-mail-files.ts',
    find: "else if (result.kind !== 'unclear') renameSync",
    replace: 'else if (result.kind) renameSync',
    tests: [FILES],
    title: 'never sends a mail again',
  },
  {
    name: 'a server outlives a killed npm',
    file: 'server/process/end-with-parent.ts',
    find: 'parentOf(pid) === parent',
    replace: 'parentOf(pid) !== pid',
    tests: ['tests/server/start-messages.test.ts'],
    title: 'leaves no server',
  },
  {
    name: 'a setting with a wrong name is not named',
    file: 'server/unknown-variables.ts',
    find: 'editDistance(a, b) === 1',
    replace: 'editDistance(a, b) === 0',
    tests: ['tests/server/start-messages.test.ts'],
    title: 'which variables nothing reads',
  },
];
