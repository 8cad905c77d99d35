/** Runs the load generator wrk with clicks from bench/ingest-clicks.lua. */
import { spawn } from 'node:child_process';

interface LoadResult {
  requests: number;
  us: number;
  failed: number;
  /** Microseconds. */
  p50: number;
  p99: number;
}

interface Options {
  url: string;
  seconds: number;
  connections: number;
  /** The CPU for wrk. */
  cpu: number;
  env?: Record<string, string>;
}

/** Click ids increase from load to load, because an id counts only once. */
let sent = 0;

/** Each connection sends the next request after the answer. @throws with wrk's output when there is no result */
export function runWrk({ url, seconds, connections, cpu, env }: Options): Promise<LoadResult> {
  const script = `${import.meta.dirname}/ingest-clicks.lua`;
  const wrk = `taskset -c ${cpu} wrk -t1 -c${connections} -d${seconds}s --timeout 10s`;
  const [program = '', ...args] = `${wrk} -s ${script} ${url}`.split(' ');
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, BENCH_FIRST: String(sent), ...env },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (part) => {
        text += part;
      });
    }
    const fail = (reason: string) =>
      reject(
        new Error(
          `wrk gave no result: ${reason.trim()}. If it is not installed: apt-get install wrk`,
        ),
      );
    child.on('error', (cause) => fail(cause.message));
    child.on('close', () => {
      const result = /RESULT (.*)/.exec(text)?.[1];
      if (!result) return fail(text);
      const parsed: LoadResult = JSON.parse(result);
      sent += parsed.requests + 1000;
      resolve(parsed);
    });
  });
}
