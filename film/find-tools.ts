/** The two programs that the film is made with, besides Node. The site itself needs neither. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** CHROMIUM_PATH, or Debian's; undefined: the one that Playwright downloads. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, '/usr/bin/chromium'].find((path) => path && existsSync(path));
}

/** Installs Debian's ffmpeg where there is none. */
export function ensureFfmpeg(): void {
  if (spawnSync('ffmpeg', ['-version']).status === 0) return;
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', 'ffmpeg']]) {
    const [command = '', ...args] = [...asRoot, 'apt-get', '-qq', ...step];
    const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0) throw new Error('ffmpeg is missing and could not be installed; install it');
  }
}
