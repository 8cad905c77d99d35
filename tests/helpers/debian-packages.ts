/** Installs Debian's packages where a test needs them and the user may; where not, it says so and goes on. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/**
 * @param find looks for the program; called again after an installation
 * @returns whether it is there now
 */
export function ensure(name: string, find: () => unknown, packages: string[]): boolean {
  if (!find() && existsSync('/usr/bin/apt-get')) {
    say(`${name}: none found; installing the Debian packages ${packages.join(', ')}`);
    run('apt-get', 'update', '-qq');
    run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages);
  }
  const found = Boolean(find());
  say(`${name}: ${found ? 'found' : `NOT TESTED; install ${packages.join(', ')}`}`);
  return found;
}

function run(...command: string[]): void {
  const asRoot = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  const [program = '', ...args] = asRoot;
  spawnSync(program, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
