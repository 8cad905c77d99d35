/** Runs tests in a copy of the tree, and returns the failed ones. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export type Suite = 'unit' | 'faults' | 'cluster' | 'browser';

/** Which tests to run. */
export interface Selection {
  suite: Suite;
  files: readonly string[];
  /** A regular expression. Only tests with a matching title run. */
  title?: string | undefined;
  /** Stops at the first failure. */
  bail?: boolean;
}

export interface TestRun {
  /** Titles of failed tests. */
  failed: string[];
  passed: number;
  /** Why no test could run: an edit that is not valid code, or a missing file; null otherwise. */
  broken: string | null;
}

const POLL_MS = 10_000;
const LIMIT_MS = 5 * 60_000;
const CONFIGS: Record<Exclude<Suite, 'browser'>, string> = {
  unit: 'vitest.config.ts',
  faults: 'tests/faults/vitest.config.ts',
  cluster: 'tests/cluster/vitest.config.ts',
};

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});
interface BrowserSuite {
  specs: {
    title: string;
    ok: boolean;
    tests: { results: { errors: { message?: string }[] }[] }[];
  }[];
  suites?: BrowserSuite[];
}
const playwrightReport = z.object({
  suites: z.array(z.custom<BrowserSuite>()),
  errors: z.array(z.object({ message: z.string().optional() })),
  stats: z.object({ expected: z.number() }),
});

/** @param folder the copy of the tree */
export async function runTests(folder: string, selection: Selection): Promise<TestRun> {
  const report = join(folder, 'node_modules/.mutants-report.json');
  rmSync(report, { force: true });
  // The edit needs a new build.
  rmSync(buildsOf(folder), { recursive: true, force: true });
  const args =
    selection.suite === 'browser' ? browserArgs(selection) : vitestArgs(selection, report);
  const { output, isLate } = await runProgram(folder, args, report);
  if (isLate)
    return { failed: [`no end within ${LIMIT_MS / 60_000} minutes`], passed: 0, broken: null };
  if (!existsSync(report)) return { failed: [], passed: 0, broken: output.slice(-2000) };
  const text = JSON.parse(readFileSync(report, 'utf8'));
  return selection.suite === 'browser' ? readBrowserRun(text) : readVitestRun(text);
}

const buildsOf = (folder: string) => join(folder, 'node_modules/.cache/builds');

function vitestArgs({ suite, files, title, bail }: Selection, report: string): string[] {
  if (suite === 'browser') throw new Error('Playwright runs these.');
  return [
    ...['node_modules/vitest/vitest.mjs', 'run', '--config', CONFIGS[suite]],
    ...['--reporter=json', `--outputFile=${report}`],
    // A short limit, because a test may wait for something that the edit has removed.
    `--expect.poll.timeout=${POLL_MS}`,
    ...(bail ? ['--bail=1'] : []),
    ...(title ? ['-t', title] : []),
    ...files,
  ];
}

function browserArgs({ files, title, bail }: Selection): string[] {
  return [
    ...['node_modules/@playwright/test/cli.js', 'test', '--reporter=json', '--retries=0'],
    ...(bail ? ['--max-failures=1'] : []),
    ...(title ? ['-g', title] : []),
    ...files,
  ];
}

function runProgram(folder: string, args: string[], report: string) {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // Variables of an outer vitest run.
      VITEST: undefined,
      VITEST_POOL_ID: undefined,
      VITEST_WORKER_ID: undefined,
      NODE_ENV: undefined,
      E2E_BUILDS: buildsOf(folder),
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
    },
  });
  return new Promise<{ output: string; isLate: boolean }>((resolve) => {
    let output = '';
    let isLate = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        output += text;
      });
    }
    const limit = setTimeout(() => {
      isLate = true;
      endGroup(child);
    }, LIMIT_MS);
    child.on('close', () => {
      clearTimeout(limit);
      endGroup(child);
      resolve({ output, isLate });
    });
  });
}

/** Ends the run and the servers that its tests have started. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid) process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole process group has ended already.
  }
}

function readVitestRun(text: unknown): TestRun {
  const { testResults } = vitestReport.parse(text);
  const all = testResults.flatMap(({ assertionResults }) => assertionResults);
  const failed = all.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
  const passed = all.filter(({ status }) => status === 'passed').length;
  const unloaded = testResults.find(({ assertionResults }) => assertionResults.length === 0);
  const isBroken = failed.length === 0 && (unloaded !== undefined || passed === 0);
  return { failed, passed, broken: isBroken ? (unloaded?.message ?? 'No test was found.') : null };
}

function failedSpecs({ specs, suites = [] }: BrowserSuite): string[] {
  const own = specs
    .filter(({ ok }) => !ok)
    .map(({ title, tests }) => {
      const message = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors))[0]
        ?.message;
      return `${title}\n${message ?? ''}`;
    });
  return [...own, ...suites.flatMap(failedSpecs)];
}

function readBrowserRun(text: unknown): TestRun {
  const { stats, errors, suites } = playwrightReport.parse(text);
  const failed = suites.flatMap(failedSpecs);
  const isBroken = failed.length === 0 && stats.expected === 0;
  const message = errors[0]?.message ?? 'No test was found.';
  return { failed, passed: stats.expected, broken: isBroken ? message : null };
}
