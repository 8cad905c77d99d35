/** Installs Debian packages where apt exists and the user may install. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** How long apt waits for the lock of another installation, in seconds. */
const LOCK_S = 600;

/** Installs all packages in one run of apt. Prints a line per failed command. The caller checks the result. */
export function installPackages(packages: readonly string[]): void {
  if (packages.length === 0 || !existsSync('/usr/bin/apt-get')) return;
  process.stdout.write(`Installing the Debian packages ${packages.join(' ')}\n`);
  apt('update', '-qq');
  apt('install', '-y', '-qq', '--no-install-recommends', ...packages.filter(isKnown));
}

/** Leaves out unknown packages, because apt installs nothing if one name is unknown. */
const isKnown = (name: string): boolean => spawnSync('apt-cache', ['show', name]).status === 0;

function apt(...args: string[]): void {
  const command = ['apt-get', '-o', `DPkg::Lock::Timeout=${LOCK_S}`, ...args];
  const [program = '', ...rest] = process.getuid?.() === 0 ? command : ['sudo', '-n', ...command];
  const { status, stderr } = spawnSync(program, rest, {
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) process.stderr.write(`"${command.join(' ')}" failed: ${stderr}\n`);
}
