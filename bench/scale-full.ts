/** `bench:scale -- --full N`: N lines in the ledgers of two servers go into an empty stream; then commands and a sink read it. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { SiteServer } from '../rehearse/layout/site-server.ts';
import { query } from '../tests/helpers/cluster/postgres.ts';
import { residentMb } from '../tests/helpers/soak/process-figures.ts';
import { ledgerBytes } from './scale-ledgers.ts';
import { type Stage, startStage } from './scale-stage.ts';

const LOOK_MS = 100;
/** The copy is complete when the stream has enough lines, and no further one for so long. */
const QUIET_MS = 3_000;
const EVER = ['--since', '2026-01-01', '--until', '2027-01-01'];

interface Step {
  name: string;
  seconds: number;
  /** Largest resident memory of the process in megabytes; null: not looked at. */
  mb: number | null;
  result: string;
}

/** @returns number of clicks that are missing or there twice */
export async function measureFull(clicks: number, say: (text: string) => void): Promise<number> {
  const made = mkdtempSync(join(tmpdir(), 'scale-data-'));
  execFileSync(process.execPath, ['bench/report-data.ts', made, String(clicks)]);
  const fill = (servers: readonly SiteServer[]) => {
    for (const [i, { dataDir }] of servers.entries())
      cpSync(join(made, String(i + 1)), dataDir, { recursive: true });
    rmSync(made, { recursive: true });
  };
  const stage = await startStage({ servers: 2, ack: 'disk', hasNginx: false, prepare: fill });
  try {
    const { steps, wrong } = await playSteps(stage, clicks);
    say(tableOf(clicks, steps));
    return wrong;
  } finally {
    await stage.stop();
  }
}

async function playSteps(stage: Stage, clicks: number) {
  const steps = [await fillStream(stage, clicks)];
  const number = (count: number) => `${count.toLocaleString('en')} clicks`;
  const command = async (name: string, args: string[], result: () => Promise<string>) => {
    const { seconds, mb, code } = await runProgram(args, stage.settings);
    note(name, seconds);
    steps.push({ name, seconds, mb, result: `${await result()}; exit code ${code}` });
  };
  const nothing = async () => 'read to the end';
  await command(
    '`clicks report --stream`',
    ['cli/clicks.ts', 'report', '--stream', ...EVER],
    nothing,
  );
  await command('`clicks verify --stream`', ['cli/clicks.ts', 'verify', '--stream'], nothing);
  const warehouse = await stage.createDatabase();
  const copied = () => countRows(warehouse, 'click_lines');
  await command(
    '`stream:sink --once` into an empty PostgreSQL',
    ['cli/stream-sink.ts', '--to', warehouse, '--once'],
    async () => number(await copied()),
  );
  await Promise.all(stage.servers.map((server) => server.stop('SIGTERM')));
  const indexed = () => countRows(stage.databaseUrl ?? '', 'clicks');
  await command(
    '`clicks rebuild --stream`, servers stopped',
    ['cli/clicks.ts', 'rebuild', '--stream'],
    async () => number(await indexed()),
  );
  const wrong = Math.abs((await copied()) - clicks) + Math.abs((await indexed()) - clicks);
  return { steps, wrong };
}

/** The servers add their ledgers to an empty index, and copy them into an empty stream. */
async function fillStream({ stream, ledgers }: Stage, clicks: number): Promise<Step> {
  const began = performance.now();
  let changedAt = began;
  for (let lines = 0; lines < clicks || performance.now() - changedAt < QUIET_MS; ) {
    await wait(LOOK_MS);
    const now = (await stream?.lines()) ?? lines;
    if (now !== lines) changedAt = performance.now();
    lines = now;
  }
  const seconds = (changedAt - began) / 1000;
  note('stream filled', seconds);
  const [ledger, store] = [ledgerBytes(ledgers), stream?.storeBytes() ?? 0].map((bytes) =>
    (bytes / clicks).toFixed(0),
  );
  const result = `${ledger} bytes a click in the ledgers, ${store} on each node`;
  return { name: 'two ledgers into an empty index and stream', seconds, mb: null, result };
}

const note = (name: string, seconds: number) =>
  void process.stderr.write(`${name}: ${seconds.toFixed(1)} s\n`);

async function runProgram(args: string[], settings: Record<string, string>) {
  const began = performance.now();
  const env = { ...process.env, ...settings };
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  let mb = 0;
  const timer = setInterval(() => {
    mb = Math.max(mb, memoryOf(child));
  }, LOOK_MS);
  await ended;
  clearInterval(timer);
  return { seconds: (performance.now() - began) / 1000, mb, code: child.exitCode };
}

function memoryOf({ pid }: ChildProcess): number {
  try {
    return residentMb(pid) || 0;
  } catch {
    return 0;
  }
}

async function countRows(url: string, table: string): Promise<number> {
  const [row] = await query(url, `SELECT count(*)::int AS count FROM ${table}`);
  return Number(row?.count);
}

function tableOf(clicks: number, steps: readonly Step[]): string {
  const rows = steps.map(({ name, seconds, mb, result }) => {
    const rate = Math.round(clicks / seconds).toLocaleString('en');
    return `| ${name} | ${seconds.toFixed(1)} | ${rate} | ${mb?.toFixed(0) ?? '–'} | ${result} |`;
  });
  const head = `| ${clicks.toLocaleString('en')} clicks | s | clicks/s | MB | |`;
  return [head, '|---|---:|---:|---:|---|', ...rows].join('\n');
}
