import { expect, test } from 'vitest';
import { hasPassed, runSteps, summarize } from './run-steps.ts';

/** Runs a step that prints these lines and exits with this code, and another one after it. */
async function run(said: string[], code: number) {
  const print = `for (const line of ${JSON.stringify(said)}) console.error(line);`;
  const lines: string[] = [];
  const results = await runSteps(
    [
      { name: 'first', command: [process.execPath, '-e', `${print} process.exit(${code})`] },
      { name: 'second', command: [process.execPath, '-e', 'console.log("two")'] },
    ],
    (line) => lines.push(line),
  );
  return { lines, results, summary: summarize(results, 65) };
}

test('a failing suite does not stop the next one; the summary names it and its failed tests, and the run fails', async () => {
  const said = [' FAIL  a.test.ts > one', '  1) tests/e2e/b.spec.ts › two'];
  const { lines, results, summary } = await run([...said, ' FAIL  a.test.ts > one'], 3);
  expect(lines.at(-1)).toBe('second | two');
  expect(summary).toMatch(/FAILED {2}first .*\n {2}passed {2}second /);
  const failures = said.map((line) => line.trim()).join('\n');
  expect(summary).toContain(`\n${failures}\nFAILED: first, in 1 min 5 s`);
  expect(hasPassed(results, false)).toBe(false);
});

test('the summary names skipped tests, which are a failure only on CI', async () => {
  const line = 'SKIPPED: cluster tests, because PostgreSQL is missing';
  const { results, summary } = await run([`\x1b[33m${line}`], 0);
  expect(summary).toContain(`\n${line}\nAll passed`);
  expect([hasPassed(results, false), hasPassed(results, true)]).toEqual([true, false]);
});
