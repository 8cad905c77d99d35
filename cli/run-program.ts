/** What every command-line program here does around its own work: output, exit code, and what is said of a mistake. */
import { UsageError } from './usage-error.ts';

/**
 * Runs `act` and sets the exit code: 0, 1 when the work failed, 2 when the command was not understood; then the help
 * follows the message.
 */
export async function runProgram(help: string, act: () => Promise<void>): Promise<void> {
  // `clicks tail | head`: the reader has seen enough.
  process.stdout.on('error', () => process.exit(0));
  try {
    await act();
  } catch (error) {
    const misunderstood = error instanceof UsageError || isParseError(error);
    process.stderr.write(`${(error as Error).message}\n${misunderstood ? `\n${help}` : ''}`);
    process.exitCode = misunderstood ? 2 : 1;
  }
}

export function print(text: string): void {
  process.stdout.write(text);
}

function isParseError(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith('ERR_PARSE_ARGS');
}
