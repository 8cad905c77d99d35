/**
 * Makes sure that a Chromium is there for the tests: the system's own, else Debian's package, else Playwright's
 * download. Run before Playwright; says what it does.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findChromium } from '../../build/find-chromium.ts';

const found = findChromium();
if (found) say(`using ${found}`);
else if (existsSync('/usr/bin/apt-get')) installDebianPackage();
else run('npx', ['playwright', 'install', '--with-deps', 'chromium']);

function installDebianPackage(): void {
  say('none found; installing the Debian package "chromium"');
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  run(...split([...asRoot, 'apt-get', 'update', '-qq']));
  run(
    ...split([...asRoot, 'apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium']),
  );
}

function split([command = '', ...args]: string[]): [string, string[]] {
  return [command, args];
}

function run(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
  if (status !== 0) {
    say(`"${command} ${args.join(' ')}" failed${error ? `: ${error.message}` : ''}`);
    say('install Chromium yourself, or set CHROMIUM_PATH to one');
    process.exit(1);
  }
}

function say(text: string): void {
  process.stdout.write(`Chromium: ${text}\n`);
}
