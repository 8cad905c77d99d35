/** The promise: what commands print is right, and safe to copy and to look at. */
import type { Mutant } from '../try-mutants.ts';

const HOSTILE = 'tests/server/report/hostile-refs.test.ts';
const LEDGERS = 'tests/cli/report-ledgers.test.ts';

export const OUTPUT: readonly Mutant[] = [
  {
    name: 'output: a ref ends the quotes of a command',
    file: 'server/text/shell.ts',
    find: '.replaceAll("\'", "\'\\\\\'\'")',
    replace: '',
    tests: [HOSTILE],
  },
  {
    name: 'output: a command has quotes that dash does not know',
    file: 'server/text/shell.ts',
    find: "\"'\\\\''\"",
    replace: '"\\\\\'"',
    tests: [HOSTILE],
  },
  {
    name: 'output: bash expands a ref behind npm',
    file: 'server/text/shell.ts',
    find: ' || EXPANDED_BEHIND_NPM.test(value)',
    replace: '',
    tests: [HOSTILE],
  },
  {
    name: 'output: a ref with a dash is taken for an option',
    file: 'server/text/shell.ts',
    find: "value.startsWith('-') ?",
    replace: "value === '-' ?",
    tests: [HOSTILE],
  },
  {
    name: 'output: marks of direction reach tables and terminals',
    file: 'server/text/printable.ts',
    find: '\\p{Cc}\\p{Cf}\\p{Cs}',
    replace: '\\p{Cc}\\p{Cs}',
    tests: [HOSTILE],
  },
  {
    name: 'output: CSV has formulas with full-width signs',
    file: 'server/text/csv-cell.ts',
    find: '[=+\\-@＝＋－＠]',
    replace: '[=+\\-@]',
    tests: ['tests/server/text/csv-cell.test.ts'],
  },
  {
    name: 'output: verify counts unknown buttons by their names',
    file: 'cli/verify/read-clicks.ts',
    find: 'counterOf(click.event)',
    replace: 'counterOf(click.event) && click.event',
    tests: ['tests/cli/verify.test.ts'],
    title: 'finds no difference after a click on',
  },
  {
    name: 'output: the command next to a figure leaves out the first folder',
    file: 'server/report/read-report.ts',
    find: 'isDefault ? [] : [dataDir, ...folders]',
    replace: 'isDefault ? [] : folders',
    tests: [LEDGERS],
  },
  {
    name: 'output: a folder of --ledger is taken for the default one',
    file: 'cli/data-folders.ts',
    find: '&& folders[0] === dataDir;',
    replace: ';',
    tests: [LEDGERS],
  },
  {
    name: 'output: PostHog takes a class for a host that refers',
    file: 'server/posthog/complete-event.ts',
    find: "kept === 'direct' ? '$direct' : null",
    replace: "kept === 'direct' ? '$direct' : kept",
    tests: ['tests/server/posthog/complete-event.test.ts'],
  },
  {
    name: 'output: the report hides that clicks were forgotten',
    file: 'server/report/forgotten-sentence.ts',
    find: 'if (forgotten.length === 0) return [];',
    replace: 'if (forgotten.length >= 0) return [];',
    tests: ['tests/cli/forgotten-figures.test.ts'],
  },
];
