/**
 * `npm run test:mutants`: breaks a promise in one line, and checks whether a test notices. Prints the edits that survive, and
 * then exits with 1.
 */
import { parseArgs } from 'node:util';
import { MUTANTS } from './list.ts';
import { type Mutant, tryMutants } from './try-mutants.ts';

const HELP = `Usage: npm run test:mutants [-- NAME] [-- --quick]

Applies each one-line edit of tests/mutants/list.ts to a copy of this tree, and runs the tests that must turn red.

  NAME      only the edits whose names contain this text
  --quick   only the edits that unit tests notice: without killed processes, PostgreSQL or a browser
  --list    names them
`;

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean' }, quick: { type: 'boolean' }, list: { type: 'boolean' } },
  allowPositionals: true,
});
const print = (text: string) => void process.stdout.write(text);

function choose(): Mutant[] {
  const [name = ''] = positionals;
  return MUTANTS.filter(
    (mutant) => mutant.name.includes(name) && !(values.quick && mutant.suite !== undefined),
  );
}

async function main(): Promise<number> {
  if (values.help) print(HELP);
  if (values.list)
    print(MUTANTS.map(({ name, suite }) => `${suite ?? 'unit'}  ${name}\n`).join(''));
  if (values.help || values.list) return 0;
  const mutants = choose();
  if (mutants.length === 0) throw new Error('No edit in tests/mutants/list.ts has this name.');
  const start = performance.now();
  const results = await tryMutants(process.cwd(), mutants, print);
  const others = results.filter(({ outcome }) => outcome !== 'killed');
  const minutes = (performance.now() - start) / 60_000;
  print(
    `\n${results.length} mutants in ${minutes.toFixed(1)} min: ${results.length - others.length} killed, `,
  );
  print(`${others.length} not\n`);
  for (const { outcome, mutant } of others) print(`  ${outcome}: ${mutant.name}\n`);
  return others.length === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
