/**
 * Reads reports in processes of their own, so that clicks never wait for them, and caches the
 * figures for a minute.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { createSerialQueue, type Database } from '../../database/database.ts';
import { readLinks } from '../../links/known-links.ts';
import type { Settings } from '../../settings.ts';
import { MINUTE_MS, SECOND_MS } from '../../time.ts';
import { type Question, readQuestion } from '../question.ts';
import type { Figures } from './figures.ts';
import { readNotes } from './notes.ts';
import { makeReport, type Report } from './report.ts';
import type { Counted, Selection } from './selection.ts';

/**
 * What the process is asked. It gets the order by standard input: URLs have passwords, and every
 * user of the machine can see the arguments of a process.
 */
export interface FiguresOrder extends Selection {
  what: 'figures' | Counted;
  /** URLs of PostgreSQL's servers. Empty: SQLite. */
  urls: string[];
  /** Path of SQLite's file. */
  file: string;
  /** Milliseconds since 1970; null: the figures need not say how complete they are. */
  now: number | null;
}

const PROGRAM = join(import.meta.dirname, 'figures-process.ts');
/** Time limit for reading the figures. */
export const MOST_MS = MINUTE_MS;
/**
 * How long figures stay in the cache, so that colleagues with the same report do not wait. The page
 * says when they were read.
 */
const CACHED_MS = MINUTE_MS;
/** Upper bound for the entries of the cache. The oldest one is dropped first. */
const MOST_CACHED = 50;
/**
 * Upper bound for the characters of a failed process's standard error that its Error quotes: a
 * sentence, or the beginning of what Node.js prints when memory is full.
 */
const MOST_STDERR_CHARACTERS = 500;

export interface ReportSource {
  settings: Pick<Settings, 'databaseUrls' | 'files'>;
  db: Database;
  site: BuiltSite;
  signal?: AbortSignal | undefined;
  /** Starts the program that reads the database. Default: a process. */
  startReading?: StartReading | undefined;
}

type StartReading = (
  source: Pick<ReportSource, 'settings' | 'signal'>,
  program: string,
  order: Omit<FiguresOrder, 'urls' | 'file'>,
) => Readable;

/** Figures of a period, and of the period that it is compared with. */
export type BothFigures = Record<'now' | 'before', Figures>;

/** Opens the reader of reports, with an empty cache. */
export function openReports(source: ReportSource) {
  const { db, site } = source;
  const readCached = cacheFigures(source);
  return {
    /** Reads a report. Its figures may come from the cache. @param now milliseconds since 1970 */
    async read(question: Question, now: number): Promise<Report> {
      const { from, to } = question;
      const { at: readAt, reading } = readCached(question, now);
      const links = await readLinks(db);
      const notes = (await readNotes(db)).filter(({ day }) => day >= from && day <= to);
      return makeReport({ question, ...(await reading), links, notes, readAt }, site);
    },
    /** Starts reading the rows behind a report's figures. @returns a stream of CSV */
    readRows: (what: Counted, question: Question): Readable =>
      startReading(source, { what, ...selectionOf(question, site), now: null }),
  };
}

const selectionOf = (
  { period, length, timeZone, filters, isShared }: Question,
  { referrerDetail }: BuiltSite,
): Selection => ({
  period,
  length,
  timeZone,
  filters,
  isShared,
  hasSites: referrerDetail === 'domain',
});

/**
 * Makes the cache of figures. Figures that it lacks are read one report at a time.
 *
 * @returns a function that returns the promise of the figures, and when they were read
 */
function cacheFigures(source: ReportSource) {
  const enqueue = createSerialQueue();
  const readBoth = async (question: Question, now: number) => {
    const selection = selectionOf(question, source.site);
    const startedAt = performance.now();
    const both = await Promise.all([
      readFigures(source, selection, now),
      readFigures(source, { ...selection, period: question.before }, null),
    ]);
    return { now: both[0], before: both[1], tookMs: performance.now() - startedAt };
  };
  const cache = new Map<string, { at: number; reading: ReturnType<typeof readBoth> }>();
  return (question: Question, now: number) => {
    for (const [key, { at }] of cache) if (now - at >= CACHED_MS) cache.delete(key);
    const { from, to, timeZone, filters, isShared, shift } = question;
    const key = JSON.stringify([from, to, timeZone, filters, isShared, shift]);
    const cached = cache.get(key);
    if (cached) return cached;
    const entry = { at: now, reading: enqueue(() => readBoth(question, now)) };
    entry.reading.catch(() => cache.delete(key));
    cache.set(key, entry);
    for (const oldest of [...cache.keys()].slice(0, -MOST_CACHED)) cache.delete(oldest);
    return entry;
  };
}

/**
 * Reads one report, for a command or a mail, without a cache.
 *
 * @param fields parameters of the page's address
 * @param now milliseconds since 1970
 */
export async function readReport(
  source: ReportSource,
  fields: Record<string, unknown>,
  now = Date.now(),
): Promise<Report> {
  return openReports(source).read(readQuestion(fields, source.site.timeZone, now), now);
}

/** Reads figures in a process. @param now milliseconds since 1970, or null (FiguresOrder) */
async function readFigures(source: ReportSource, selection: Selection, now: number | null) {
  const output = startReading(source, { what: 'figures', ...selection, now });
  return readResult<Figures>(output, MOST_MS);
}

/**
 * Reads the JSON that a process writes.
 *
 * @param mostMs time limit, in milliseconds
 * @throws (rejects with) an Error after the time limit, or the stream's error
 */
export async function readResult<Result>(output: Readable, mostMs: number): Promise<Result> {
  const tooLong = new Error(`The report takes more than ${mostMs / SECOND_MS} s to read`);
  const late = setTimeout(() => output.destroy(tooLong), mostMs);
  return JSON.parse(await text(output).finally(() => clearTimeout(late)));
}

const startReading = (source: ReportSource, order: Omit<FiguresOrder, 'urls' | 'file'>): Readable =>
  (source.startReading ?? startProcess)(source, PROGRAM, order);

/**
 * Starts a program in a process of its own, and gives it its order.
 *
 * @param program path of the program
 * @param order becomes JSON on standard input, with the place of the database
 * @returns the process's standard output. If the process fails, so does the stream, with an Error
 * that says why
 */
export function startProcess(
  { settings, signal }: Pick<ReportSource, 'settings' | 'signal'>,
  program: string,
  order: object,
): Readable {
  const output = new PassThrough();
  const child: ChildProcess = spawn(process.execPath, [program], { signal });
  child.on('error', (cause) => output.destroy(cause));
  let stderrText = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderrText = (stderrText + text).slice(0, MOST_STDERR_CHARACTERS);
  });
  // The output is ended only with the exit code: it must not look complete if the process failed.
  child.on('close', (code, endedBy) => {
    if (code === 0) output.end();
    else output.destroy(describeFailure(stderrText, code, endedBy));
  });
  // A process that could not start has no streams. Errors of its input are ignored: if the process
  // ends before it has read its order, its exit code says why.
  child.stdout?.pipe(output, { end: false });
  child.stdin?.on('error', () => {});
  const place = { urls: settings.databaseUrls.map(String), file: settings.files.database };
  child.stdin?.end(JSON.stringify({ ...order, ...place }));
  // Ends the process if the reader of its output has gone.
  output.on('close', () => child.kill());
  return output;
}

/** Makes the Error of a failed process. @param endedBy SIGKILL, if the machine's memory was full */
function describeFailure(
  stderrText: string,
  code: number | null,
  endedBy: NodeJS.Signals | null,
): Error {
  const how = endedBy ? `was ended by ${endedBy}` : `ended with ${code}`;
  return new Error(
    `The process that reads the report ${how}${stderrText && `: ${stderrText.trim()}`}`,
  );
}
