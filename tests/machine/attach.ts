/** Runs commands in a machine, as its operator does. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const LOOK_MS = 200;

export interface Output {
  code: number;
  /** Standard output and standard error, in their order. */
  text: string;
}

export interface Machine {
  /** Path of the machine's file on this computer. */
  file(path: string): string;
  /** Runs lines of bash as root. */
  run(lines: string): Promise<Output>;
  /** Runs the lines until they succeed. @returns their last output @throws with it after two minutes */
  until(lines: string): Promise<string>;
  /** Starts a program whose standard input and output are pipes. */
  start(line: string): ChildProcessByStdio<Writable, Readable, null>;
  stop(): void;
}

/**
 * @param leader id of its process 1
 * @param root its folder on this computer
 */
export function attach(leader: string, root: string, stop: () => void): Machine {
  const start = (lines: string) =>
    spawn(
      'nsenter',
      [
        ...['--target', leader, '--all', 'env', '-i', 'HOME=/root', 'TERM=dumb', `PATH=${PATH}`],
        ...['LANG=C.UTF-8', 'bash', '-c', `exec 2>&1; cd /root\n${lines}`],
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
  const run = async (lines: string): Promise<Output> => {
    const child = start(lines);
    child.stdin.end();
    const ended = new Promise<number>((done) => child.once('close', (code) => done(code ?? -1)));
    const text = (await Array.fromAsync(child.stdout)).join('');
    return { code: await ended, text };
  };
  return {
    ...{ run, start, stop },
    file: (path) => join(root, path),
    async until(lines) {
      const end = performance.now() + 120_000;
      for (;;) {
        const { code, text } = await run(lines);
        if (code === 0) return text;
        if (performance.now() > end) throw new Error(`"${lines}" does not succeed: ${text}`);
        await wait(LOOK_MS);
      }
    },
  };
}
