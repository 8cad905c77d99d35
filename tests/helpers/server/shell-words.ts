/** The words that a real shell makes of commands. */
import { execFileSync } from 'node:child_process';

/**
 * Lets the shell read each command in the folder, and returns the words after `lines`.
 *
 * @param shell such as dash or bash
 * @param cwd a command that escapes from its quotes leaves its files here
 */
export function shellWords(shell: string, commands: readonly string[], cwd?: string): string[][] {
  const script = commands.map(
    (text) => `printf '%s\\0' ${text.replace(/^.*? lines /, '')}; printf '\\n\\0'`,
  );
  const out = execFileSync(shell, ['-c', script.join('\n')], {
    ...{ cwd, encoding: 'utf8', maxBuffer: 1e8 },
  });
  return out
    .split('\n\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}
