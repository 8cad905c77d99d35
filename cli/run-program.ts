/** Output, exit code and error messages of every command-line program. */
import { printableLines } from '../server/text/printable.ts';
import { UsageError } from './usage-error.ts';

/**
 * Runs `act` and sets the exit code: 0; 1 when the work failed; 2 when the command line is wrong. After 2 the help follows the
 * message.
 */
export async function runProgram(help: string, act: () => Promise<void>): Promise<void> {
  // The reader of a pipe has ended, as in `registrations list | head`.
  process.stdout.on('error', () => process.exit(0));
  try {
    await act();
  } catch (error) {
    const misunderstood = error instanceof UsageError || isParseError(error);
    const message = printableLines((error as Error).message);
    process.stderr.write(`${message}\n${misunderstood ? `\n${help}` : ''}`);
    process.exitCode = misunderstood ? 2 : 1;
  }
}

export function print(text: string): void {
  process.stdout.write(text);
}

function isParseError(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
}
