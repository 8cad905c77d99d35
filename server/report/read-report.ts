/** Reads reports in a process of its own, so that clicks never wait for it. Keeps the figures for a minute. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { type Database, makeQueue } from '../database/database.ts';
import { readLinks } from '../links/known-links.ts';
import type { Settings } from '../settings.ts';
import { DIMENSIONS, type Dimension, type Filters, without } from './dimensions.ts';
import type { Figures } from './figures.ts';
import { readNotes } from './notes.ts';
import type { Period, Question } from './question.ts';
import { makeReport, type Report } from './report.ts';

/** The process gets it by standard input, because every user may see the arguments of a process. */
export interface FiguresOrder {
  what: 'figures' | 'rows';
  /** Of PostgreSQL's servers; none: SQLite. */
  urls: string[];
  file: string;
  /** Only the first one's figures say how complete they are. */
  periods: Period[];
  timeZone: string;
  /** The figures are read under each of them. */
  filters: Filters[];
  /** Milliseconds since 1970. */
  now: number;
}

const PROGRAM = join(import.meta.dirname, 'figures-process.ts');
export const MOST_MS = 60_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** A colleague with the same report does not wait, nor does a reader who removes a filter. The page says when it was read. */
const KEPT_MS = 60_000;
const MOST_KEPT = 50;

export interface ReportSource {
  settings: Pick<Settings, 'databaseUrls' | 'files'>;
  db: Database;
  site: BuiltSite;
  signal?: AbortSignal | undefined;
}

export interface BothFigures {
  now: Figures;
  before: Figures;
}

/** The figures under one set of filters, as they were at a time. */
interface Kept {
  at: number;
  reading: Promise<BothFigures & { tookMs: number }>;
}

export function openReports(source: ReportSource) {
  const { db, site, signal } = source;
  const readFigures = keepFigures(source);
  return {
    /** @param now milliseconds since 1970 */
    async read(question: Question, now: number): Promise<Report> {
      const { filters, from, to, isShared } = question;
      // A reader outside the team sees the filtered rows alone.
      const filtered = DIMENSIONS.filter((name) => filters[name] !== undefined && !isShared);
      const sets = [filters, ...filtered.map((name) => without(filters, name))];
      const [main, ...others] = readFigures(question, sets, now) as [Kept, ...Kept[]];
      const links = await readLinks(db);
      const notes = await readNotes(db, from, to);
      const own: Partial<Record<Dimension, BothFigures>> = {};
      for (const [i, { reading }] of others.entries())
        own[filtered[i] as Dimension] = await reading;
      const figures = await main.reading;
      return makeReport({ question, ...figures, own, links, notes, readAt: main.at }, site);
    },
    /** The clicks behind a report's figures, as CSV. */
    readRows({ period, timeZone, filters }: Question, now: number): Readable {
      const order = { ...orderOf(source, now), periods: [period], timeZone, filters: [filters] };
      return streamProcess({ ...order, what: 'rows' }, signal);
    },
  };
}

/** @returns a function that finds the figures of the last minute, and reads the others in one process */
function keepFigures(source: ReportSource) {
  const inTurn = makeQueue();
  const kept = new Map<string, Kept>();
  return (question: Question, sets: Filters[], now: number): Kept[] => {
    const { period, before, timeZone, from, to } = question;
    const keyOf = (filters: Filters) => JSON.stringify([from, to, timeZone, filters]);
    for (const [key, { at }] of kept) if (now - at >= KEPT_MS) kept.delete(key);
    const filters = sets.filter((one) => !kept.has(keyOf(one)));
    if (filters.length > 0) {
      const order = { ...orderOf(source, now), periods: [period, before], timeZone, filters };
      const readingAll = inTurn(async () => {
        const began = performance.now();
        const result = await askProcess(order, source.signal);
        return { result, tookMs: performance.now() - began };
      });
      filters.forEach((one, i) => {
        const reading = readingAll.then(({ result, tookMs }) => {
          const [now, before] = result.map((figures) => figures[i]) as [Figures, Figures];
          return { now, before, tookMs };
        });
        reading.catch(() => kept.delete(keyOf(one)));
        kept.set(keyOf(one), { at: now, reading });
      });
    }
    const found = sets.map((one) => kept.get(keyOf(one)) as Kept);
    for (const key of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(key);
    return found;
  };
}

/** Reads one report, for a command or a mail. */
export const readReport = (source: ReportSource, question: Question): Promise<Report> =>
  openReports(source).read(question, Date.now());

/** Reads the figures of several periods, without filters. */
export async function readPeriods(source: ReportSource, periods: Period[]): Promise<Figures[]> {
  const { timeZone } = source.site;
  const order = { ...orderOf(source, Date.now()), periods, timeZone, filters: [{}] };
  return (await askProcess(order, source.signal)).flat();
}

const orderOf = ({ settings }: ReportSource, now: number) => ({
  ...{ what: 'figures' as const, now },
  ...{ urls: settings.databaseUrls.map(String), file: settings.files.database },
});

/** @returns the figures of each period, under each of the filters */
async function askProcess(order: FiguresOrder, signal?: AbortSignal): Promise<Figures[][]> {
  const running = promisify(execFile)(process.execPath, [PROGRAM], {
    ...{ timeout: MOST_MS * order.filters.length, maxBuffer: MOST_BYTES, signal },
  });
  sendOrder(running.child, order);
  return JSON.parse((await running).stdout);
}

/** @returns its standard output, which fails if the process does */
function streamProcess(order: FiguresOrder, signal?: AbortSignal): Readable {
  const rows = new PassThrough();
  const child = spawn(process.execPath, [PROGRAM], {
    ...{ signal, stdio: ['pipe', 'pipe', 'inherit'] },
  });
  child.on('error', (cause) => rows.destroy(cause));
  // Its output ends before its exit code is known.
  child.on('close', (code) => {
    if (code === 0) rows.end();
    else rows.destroy(new Error(`The process that reads rows ended with ${code}`));
  });
  child.stdout?.pipe(rows, { end: false });
  sendOrder(child, order);
  // A reader that goes away ends it.
  rows.on('close', () => child.kill());
  return rows;
}

/** A process that could not start has no standard input. */
function sendOrder({ stdin }: ChildProcess, order: FiguresOrder): void {
  // If the process ends early, its exit says why.
  stdin?.on('error', () => {});
  stdin?.end(JSON.stringify(order));
}
