/** A disk that takes its time: strace delays every sync of a process and of its threads. */
import { spawnSync } from 'node:child_process';

/** Whether strace is there and may trace; containers often forbid it. */
export const canSlowDisk = (): boolean =>
  spawnSync('strace', ['-f', '--seccomp-bpf', '-o', '/dev/null', 'true']).status === 0;

/** @returns the command that starts a process with this delay; it runs as itself, with strace beside it */
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
