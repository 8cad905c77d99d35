/** CPU time and memory of the parts that this process has started. Needs Linux. */
import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { residentMb } from '../tests/helpers/soak/process-figures.ts';

const TICKS_PER_S = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

export const PARTS = ['servers', 'NATS', 'PostgreSQL', 'Redis', 'nginx', 'load'] as const;
export type Part = (typeof PARTS)[number];

export interface Spent {
  /** CPU seconds of all processes of the part. */
  total: number;
  /** Of the busiest one. */
  busiest: number;
}

/** CPU seconds by process id. */
export type Sample = Map<number, { part: Part; seconds: number }>;

/** Only descendants of this process count, because other programs may run on the machine. */
export function sampleCpu(): Sample {
  const all = new Map<number, { parent: number; part: Part | null; seconds: number }>();
  for (const file of globSync('/proc/[0-9]*/stat')) {
    const stat = readText(file);
    const end = stat.lastIndexOf(')');
    const fields = stat.slice(end + 2).split(' ');
    const name = stat.slice(stat.indexOf('(') + 1, end);
    const part = partOf(name, readText(file.replace(/stat$/, 'cmdline')));
    const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
    all.set(Number.parseInt(stat, 10), { parent: Number(fields[1]), part, seconds });
  }
  const sample: Sample = new Map();
  for (const [pid, { part, seconds }] of all)
    if (part && descends(pid, all)) sample.set(pid, { part, seconds });
  sample.set(process.pid, { part: 'load', seconds: endedChildrenSeconds() });
  return sample;
}

/** CPU seconds of the load, because wrk has ended when the samples are compared. */
function endedChildrenSeconds(): number {
  const stat = readText('/proc/self/stat');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_S;
}

function descends(pid: number, all: ReadonlyMap<number, { parent: number }>): boolean {
  for (let at: number | undefined = pid; at; at = all.get(at)?.parent)
    if (at === process.pid) return true;
  return false;
}

export function spentBetween(before: Sample, after: Sample): Map<Part, Spent> {
  const spent = new Map<Part, Spent>();
  for (const [pid, { part, seconds }] of after) {
    const own = seconds - (before.get(pid)?.seconds ?? 0);
    const { total, busiest } = spent.get(part) ?? { total: 0, busiest: 0 };
    spent.set(part, { total: total + own, busiest: Math.max(busiest, own) });
  }
  return spent;
}

/** @returns megabytes by part, all processes together */
export function sampleMemory(): Map<Part, number> {
  const memory = new Map<Part, number>();
  for (const [pid, { part }] of sampleCpu())
    if (part !== 'load') memory.set(part, (memory.get(part) ?? 0) + tryResident(pid));
  return memory;
}

function tryResident(pid: number): number {
  try {
    return residentMb(pid) || 0;
  } catch {
    return 0;
  }
}

function partOf(program: string, command: string): Part | null {
  if (command.includes('server/main.js')) return 'servers';
  const parts: Record<string, Part> = {
    'nats-server': 'NATS',
    postgres: 'PostgreSQL',
    'redis-server': 'Redis',
    nginx: 'nginx',
  };
  return parts[program] ?? null;
}

/** A process may have ended meanwhile. */
function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
