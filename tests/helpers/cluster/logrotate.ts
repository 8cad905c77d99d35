/** logrotate with the configuration that is shipped; only folders, the user and how the servers are told are a test's own. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './daemon.ts';

export const findLogrotate = () => findProgram('/usr/sbin/logrotate', '/usr/local/sbin/logrotate');

interface Options {
  /** In the place of /var/lib/site: a folder per server. */
  folder: string;
  /** The servers' processes, which systemd would know. */
  pids: () => (number | undefined)[];
}

/** @returns rotates once, as a day's end would @throws what logrotate says, when it cannot */
export function makeRotation({ folder, pids }: Options): () => void {
  const program = findLogrotate();
  if (!program) throw new Error('There is no logrotate here: npm run test:install');
  const configuration = join(folder, 'logrotate.conf');
  return () => {
    writeFileSync(configuration, shippedRotation(folder, pids()), { mode: 0o644 });
    execFileSync(program, ['--force', '--state', join(folder, 'logrotate.state'), configuration], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  };
}

/** @throws when a shipped file no longer has what is to be replaced */
function shippedRotation(folder: string, pids: (number | undefined)[]): string {
  const unit = readFileSync('deploy/systemd/site@.service', 'utf8');
  const [, reload] = /^ExecReload=(.*)$/m.exec(unit) ?? [];
  if (!reload?.includes('$MAINPID'))
    throw new Error('deploy/systemd/site@.service reloads nothing');
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
