/** Applies each edit of a list to a copy of the tree, and runs the tests that must turn red. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyTree } from './copy-tree.ts';
import { runTests, type Selection, type Suite } from './run-tests.ts';

/** One edit that breaks a promise. */
export interface Mutant {
  /** The effect of the edit, in the words of a visitor or an operator. */
  name: string;
  file: string;
  /** Text that is in the file exactly once. */
  find: string;
  replace: string;
  /** The suite of its tests; unit if it is missing. */
  suite?: Suite;
  /** Test files. At least one of their tests must fail. */
  tests: readonly string[];
  /** A regular expression for the tests' titles, if the whole files would take too long. */
  title?: string;
}

export interface Result {
  mutant: Mutant;
  outcome: 'killed' | 'survived' | 'invalid';
  /** The test that failed, or why the edit is not valid code. */
  detail: string;
  seconds: number;
}

type Print = (text: string) => void;

/** @throws an Error that lists every entry whose text is not in its file exactly once, or whose name is taken */
export function checkList(root: string, mutants: readonly Mutant[]): void {
  const faults = mutants.flatMap(({ name, file, find, replace }, i) => {
    const times = readFileSync(join(root, file), 'utf8').split(find).length - 1;
    return [
      ...(times === 1 ? [] : [`"${name}": its text is ${times} times in ${file}`]),
      ...(find === replace ? [`"${name}" changes nothing`] : []),
      ...(mutants.findIndex((other) => other.name === name) === i
        ? []
        : [`"${name}" is there twice`]),
    ];
  });
  if (faults.length > 0) {
    throw new Error(`The list of mutants is stale (tests/mutants/list):\n  ${faults.join('\n  ')}`);
  }
}

/**
 * @returns one result per mutant
 * @throws when the list is stale, or the tests fail without any edit
 */
export async function tryMutants(
  root: string,
  mutants: readonly Mutant[],
  print: Print,
): Promise<Result[]> {
  checkList(root, mutants);
  const copy = copyTree(root);
  const end = () => process.exit(130);
  process.once('SIGINT', end);
  process.once('exit', copy.remove);
  try {
    await requireGreen(copy.path, mutants, print);
    const results: Result[] = [];
    for (const mutant of mutants) {
      const result = await tryOne(copy.path, mutant);
      print(describe(result));
      results.push(result);
    }
    return results;
  } finally {
    process.off('SIGINT', end);
    process.off('exit', copy.remove);
    copy.remove();
  }
}

/** Runs the tests without an edit, because a test that fails anyway would seem to notice every edit. */
async function requireGreen(folder: string, mutants: readonly Mutant[], print: Print) {
  for (const selection of selectionsOf(mutants)) {
    const start = performance.now();
    const { failed, passed, broken } = await runTests(folder, selection);
    if (broken !== null || failed.length > 0) {
      const what = broken ?? failed.join('\n  ');
      throw new Error(`These tests fail without any edit (${selection.suite}):\n  ${what}`);
    }
    const seconds = (performance.now() - start) / 1000;
    print(`${passed} tests (${selection.suite}) pass without an edit: ${seconds.toFixed(0)} s\n`);
  }
}

/** The test files of each suite together, and their titles if every mutant of a suite names one. */
function selectionsOf(mutants: readonly Mutant[]): Selection[] {
  const suites = [...new Set(mutants.map(suiteOf))];
  return suites.map((suite) => {
    const own = mutants.filter((mutant) => suiteOf(mutant) === suite);
    const titles = own.map(({ title }) => title).filter((title) => title !== undefined);
    return {
      suite,
      files: [...new Set(own.flatMap(({ tests }) => tests))],
      title: titles.length === own.length ? titles.join('|') : undefined,
    };
  });
}

const suiteOf = ({ suite }: Mutant): Suite => suite ?? 'unit';

async function tryOne(folder: string, mutant: Mutant): Promise<Result> {
  const start = performance.now();
  const path = join(folder, mutant.file);
  const before = readFileSync(path, 'utf8');
  writeFileSync(path, before.split(mutant.find).join(mutant.replace));
  try {
    const { tests: files, title } = mutant;
    const run = await runTests(folder, { suite: suiteOf(mutant), files, title, bail: true });
    const outcome = run.broken !== null ? 'invalid' : run.failed.length > 0 ? 'killed' : 'survived';
    const detail = run.broken ?? run.failed[0] ?? files.join(' ');
    return { mutant, outcome, detail, seconds: (performance.now() - start) / 1000 };
  } finally {
    writeFileSync(path, before);
  }
}

function describe({ mutant, outcome, detail, seconds }: Result): string {
  const word = outcome === 'killed' ? 'killed  ' : outcome.toUpperCase();
  return `${word}  ${seconds.toFixed(1).padStart(5)} s  ${mutant.name}\n                    ${detail.split('\n')[0]}\n`;
}
