/** Starts third-party servers for tests, as an unprivileged user. They end with the test process. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Users for the daemons when the tests run as root, because PostgreSQL does not run as root. */
const SERVANTS = ['postgres', 'nobody'];

/** @returns the first of these paths that exists */
export function findProgram(...candidates: string[]): string | null {
  return candidates.find((file) => existsSync(file)) ?? null;
}

/** Makes an empty folder that belongs to the daemons' user. */
export function makeDaemonDir(name: string) {
  const path = mkdtempSync(join(tmpdir(), `${name}-`));
  const user = findServant();
  if (user) chownSync(path, user.uid, user.gid);
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts a daemon. The kernel sends it `lastSignal` when this process ends for any reason. */
export function spawnDaemon(
  command: string,
  args: string[],
  lastSignal: 'KILL' | 'TERM' = 'KILL',
): ChildProcess {
  // Reads the pipe, because a full one would block the daemon.
  return spawn('setpriv', asServant(command, args, lastSignal), { stdio: 'ignore' });
}

/** Waits for its exit. @throws with its standard error when it fails */
export function runAsServant(command: string, args: string[]): void {
  execFileSync('setpriv', asServant(command, args), { stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Resolves when the process has ended. */
export async function endDaemon(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

function asServant(command: string, args: string[], lastSignal = 'KILL'): string[] {
  const user = findServant();
  const identity = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
  return [...identity, `--pdeathsig=${lastSignal}`, '--', command, ...args];
}

function findServant(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  for (const name of SERVANTS) {
    try {
      const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, name])));
      return { uid: uid ?? 0, gid: gid ?? 0 };
    } catch {
      // This user does not exist on this machine.
    }
  }
  throw new Error(`None of the users ${SERVANTS.join(', ')} exists on this machine`);
}
