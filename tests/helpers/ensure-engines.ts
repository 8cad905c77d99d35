/**
 * Makes sure that Firefox and WebKit are there for the tests in other engines, from Debian's packages. Where that is
 * not possible it says so and goes on: the tests then report every scenario of the missing engine as skipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findFirefox } from './firefox-find.ts';
import { findWebkit } from './webkit-find.ts';

/** The last two let WebKit play the film. */
const WEBKIT_PACKAGES = [
  'webkit2gtk-driver',
  'xvfb',
  'gstreamer1.0-libav',
  'gstreamer1.0-plugins-good',
];

ensure('Firefox', findFirefox, ['firefox-esr']);
ensure('WebKit', findWebkit, WEBKIT_PACKAGES);

function ensure(engine: string, find: () => unknown, packages: string[]): void {
  if (!find() && existsSync('/usr/bin/apt-get')) {
    say(`${engine}: none found; installing the Debian packages ${packages.join(', ')}`);
    run('apt-get', 'update', '-qq');
    run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...packages);
  }
  say(`${engine}: ${find() ? 'found' : `NOT TESTED; install ${packages.join(', ')}`}`);
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
