import type { Result } from './run-steps.ts';

/** @param onCi counts a skipped test as a failure */
export function hasPassed(results: readonly Result[], onCi: boolean): boolean {
  return results.every(({ passed, skipped }) => passed && !(onCi && skipped.length > 0));
}

/** The last lines of `npm test`: each step with its outcome and time, the failed tests, and the skipped ones. */
export function summarize(results: readonly Result[], seconds: number): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const lines = results.map((result) => {
    const outcome = result.passed ? 'passed' : 'FAILED';
    return `  ${outcome}  ${result.name.padEnd(width)}  ${result.seconds.toFixed(0).padStart(4)} s`;
  });
  const failed = results.filter(({ passed }) => !passed).map(({ name }) => name);
  const verdict = failed.length > 0 ? `FAILED: ${failed.join(', ')}` : 'All passed';
  const skipped = [...new Set(results.flatMap((result) => result.skipped))];
  const minutes = `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  const failures = results.flatMap((result) => (result.passed ? [] : result.failures));
  return ['', ...lines, ...failures, ...skipped, `${verdict}, in ${minutes}`, ''].join('\n');
}
