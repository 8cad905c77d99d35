/** A slow disk: strace delays every sync of a process and its threads. */
import { spawnSync } from 'node:child_process';

/** @returns whether strace is installed and may trace; containers often forbid it */
export const canSlowDisk = (): boolean =>
  spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true']).status === 0;

/** @returns the command that starts a process with this delay; strace attaches to it as a child */
export function slowDisk(syncMs: number): string[] {
  const calls = 'fsync,fdatasync';
  const delay = `inject=${calls}:delay_exit=${syncMs * 1000}`;
  return [
    'strace',
    '-D',
    '-f',
    '--seccomp-bpf',
    '-e',
    `trace=${calls}`,
    '-e',
    delay,
    '-o',
    '/dev/null',
  ];
}
