/** Runs logrotate with the configuration in deploy/. The test replaces only the folders, the user and the reload command. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './daemon.ts';

export const findLogrotate = () => findProgram('/usr/sbin/logrotate', '/usr/local/sbin/logrotate');

interface Options {
  /** Replaces /var/lib/site: a folder per server. */
  folder: string;
  /** The servers' processes, for the reload. */
  pids: () => (number | undefined)[];
}

/** @returns a function that rotates once, as at the end of a day @throws with logrotate's message when it fails */
export function makeRotation({ folder, pids }: Options): () => void {
  const program = findLogrotate();
  if (!program) throw new Error('logrotate is missing. Run npm run test:install');
  const configuration = join(folder, 'logrotate.conf');
  return () => {
    writeFileSync(configuration, shippedRotation(folder, pids()), { mode: 0o644 });
    execFileSync(program, ['--force', '--state', join(folder, 'logrotate.state'), configuration], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  };
}

/** @throws when a file in deploy/ no longer has the text that the test replaces */
function shippedRotation(folder: string, pids: (number | undefined)[]): string {
  const unit = readFileSync('deploy/systemd/site@.service', 'utf8');
  const [, reload] = /^ExecReload=(.*)$/m.exec(unit) ?? [];
  if (!reload?.includes('$MAINPID'))
    throw new Error('deploy/systemd/site@.service has no ExecReload');
  const reloads = pids.map((pid) => reload.replace('$MAINPID', `${pid}`));
  const group = execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim();
  let text = readFileSync('deploy/logrotate/site', 'utf8');
  for (const [shipped, own] of [
    ['/var/lib/site', folder],
    ['su site site', `su ${userInfo().username} ${group}`],
    ["systemctl reload 'site@*.service'", reloads.join('\n        ')],
  ] as const) {
    if (!text.includes(shipped)) throw new Error(`deploy/logrotate/site has no ${shipped}`);
    text = text.replace(shipped, own);
  }
  return text;
}
