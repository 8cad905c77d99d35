import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runSteps, type Step } from './run-steps.ts';
import { hasPassed, summarize } from './summary.ts';

const script = (name: string, code: string, after: string[] = []): Step => ({
  name,
  command: [process.execPath, '-e', code],
  after,
});

async function run(...steps: Step[]) {
  const lines: string[] = [];
  const results = await runSteps(steps, (line) => lines.push(line));
  return { lines, results, summary: summarize(results, 65) };
}

test('a failing suite does not stop the next one; the summary names it, and the run fails', async () => {
  const { lines, results, summary } = await run(
    script('first', 'console.log("one"); process.exit(3)'),
    script('second', 'console.error("two")', ['first']),
  );
  expect(lines).toEqual(['first | one', 'second | two']);
  expect(summary).toMatch(
    /FAILED {2}first .*\n {2}passed {2}second .*\nFAILED: first, in 1 min 5 s/,
  );
  expect(hasPassed(results, false)).toBe(false);
});

test('the summary names each failed test once, in its runner’s words', async () => {
  const said = [
    ' FAIL  a.test.ts > one',
    ' FAIL  a.test.ts > one',
    '  1) tests/e2e/b.spec.ts › two',
    '✖ three (5ms)',
  ];
  const print = (lines: string[]) =>
    `for (const line of ${JSON.stringify(lines)}) console.log(line);`;
  const { summary } = await run(
    script('first', `${print(said)} process.exit(1)`),
    script('second', print([' FAIL  a test whose suite passed'])),
  );
  expect(summary).toContain(
    '\nFAIL  a.test.ts > one\n1) tests/e2e/b.spec.ts › two\n✖ three (5ms)\nFAILED: first',
  );
  expect(summary).not.toContain('a test whose suite passed');
});

test('a command that cannot be started is a failure', async () => {
  const { results } = await run({ name: 'x', command: ['/no/such/program'] });
  expect(hasPassed(results, false)).toBe(false);
});

test('the summary names skipped tests, which are a failure only on CI', async () => {
  const line = 'SKIPPED: cluster tests, because PostgreSQL is missing';
  const { results, summary } = await run(script('one', `console.error('\\x1b[33m${line}')`));
  expect(summary).toContain(`\n${line}\nAll passed`);
  expect([hasPassed(results, false), hasPassed(results, true)]).toEqual([true, false]);
});

test('independent steps run at the same time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'steps-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // Each step ends when the other has begun. In sequence, the first would never end.
  const meet = (own: string, other: string) => `
    const { existsSync, writeFileSync } = require('node:fs');
    process.chdir(${JSON.stringify(folder)});
    writeFileSync('${own}', '');
    const look = () => existsSync('${other}') || setTimeout(look, 10);
    look();`;
  const { results } = await run(script('a', meet('a', 'b')), script('b', meet('b', 'a')));
  expect(hasPassed(results, false)).toBe(true);
});
