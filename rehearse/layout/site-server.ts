/** One of the three servers: a process with the command of the systemd unit, its own port and DATA_DIR. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findProgram } from '../../tests/helpers/cluster/daemon.ts';
import { FAKETIME } from '../../tests/helpers/cluster/faketime.ts';

const UNIT = 'deploy/systemd/site@.service';
const LOOK_MS = 20;

export interface SiteServer {
  name: string;
  port: number;
  metricsPort: number;
  dataDir: string;
  ledger: string;
  log: string;
  isRunning(): boolean;
  /** Of the running process. */
  pid(): number | undefined;
  /** Resolves when the server answers, as `ExecStartPost` of the unit. @throws if it ends before */
  start(): Promise<void>;
  /** Resolves when the process has ended. */
  stop(signal: NodeJS.Signals): Promise<void>;
  /** Moves the server's clock, by a number that may have a fraction. Null where faketime is not installed. */
  moveClock: ((days: number) => void) | null;
}

export interface Place {
  name: string;
  port: number;
  metricsPort: number;
  /** Parents of the server's data folder and log. */
  data: string;
  logs: string;
  /** False: the server uses the machine's clock, without the library that moves it. */
  hasOwnClock?: boolean;
}

/** @param settings of site.env */
export function makeSiteServer(place: Place, settings: Record<string, string>): SiteServer {
  const { name, port, metricsPort, hasOwnClock = true } = place;
  const dataDir = join(place.data, String(port));
  const log = join(place.logs, `${port}.log`);
  const clockFile = join(place.logs, `${port}.clock`);
  const faketime = hasOwnClock ? findProgram(FAKETIME) : null;
  mkdirSync(dataDir, { mode: 0o750 });
  writeFileSync(clockFile, '+0');
  const env = {
    ...{ PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NODE_ENV: 'production' },
    ...settings,
    ...{ PORT: String(port), HOST: '127.0.0.1', METRICS_PORT: String(metricsPort) },
    DATA_DIR: dataDir,
    ...(faketime && clockSettings(faketime, clockFile)),
  };
  let child: ChildProcess | null = null;
  const isRunning = () => child !== null && child.exitCode === null && child.signalCode === null;
  return {
    ...{ name, port, metricsPort, dataDir, log, isRunning },
    pid: () => child?.pid,
    ledger: join(dataDir, 'clicks.jsonl'),
    async start() {
      const output = openSync(log, 'a');
      const command = ['--pdeathsig=KILL', '--', process.execPath, ...unitArguments()];
      child = spawn('setpriv', command, { env, stdio: ['ignore', output, output] });
      closeSync(output);
      while (!(await isAlive(port))) {
        if (!isRunning()) throw new Error(`${name} ended: ${readFileSync(log, 'utf8')}`);
        await wait(LOOK_MS);
      }
    },
    async stop(signal) {
      if (!isRunning()) return;
      const ended = once(child as ChildProcess, 'exit');
      child?.kill(signal);
      await ended;
    },
    moveClock: faketime ? (days) => writeFileSync(clockFile, `+${days}d`) : null,
  };
}

/** Only the wall clock moves, as when somebody sets it. */
const clockSettings = (library: string, file: string) => ({
  LD_PRELOAD: library,
  FAKETIME_TIMESTAMP_FILE: file,
  FAKETIME_CACHE_DURATION: '1',
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
});

/** Node's flags and the server's file from the unit's ExecStart. */
function unitArguments(): string[] {
  const [, command] = /^ExecStart=\S+ (.+)$/m.exec(readFileSync(UNIT, 'utf8')) ?? [];
  if (!command) throw new Error(`${UNIT} has no ExecStart`);
  return command.split(' ');
}

async function isAlive(port: number): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${port}/livez`).catch(() => null);
  await answer?.body?.cancel();
  return answer?.ok ?? false;
}
