/** Finds ffmpeg, which encodes the film. The site itself does not need it. */
import { spawnSync } from 'node:child_process';

/** Installs Debian's ffmpeg if it is missing. */
export function ensureFfmpeg(): void {
  if (spawnSync('ffmpeg', ['-version']).status === 0) return;
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', 'ffmpeg']]) {
    const [command = '', ...args] = [...asRoot, 'apt-get', '-qq', ...step];
    const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status !== 0)
      throw new Error('ffmpeg is missing, and apt-get could not install it. Install it yourself.');
  }
}
