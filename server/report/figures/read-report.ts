/**
 * Reads reports in processes of their own, so that clicks never wait for them. Keeps the figures
 * for a minute.
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

/** The process gets it by standard input, because every user may see the arguments of a process. */
export interface FiguresOrder extends Selection {
  what: 'figures' | Counted;
  /** Of PostgreSQL's servers; none: SQLite. */
  urls: string[];
  file: string;
  /** Milliseconds since 1970; null: the figures need not say how complete they are. */
  now: number | null;
}

const PROGRAM = join(import.meta.dirname, 'figures-process.ts');
export const MOST_MS = MINUTE_MS;
/** A colleague with the same report does not wait. The page says when it was read. */
const KEPT_MS = MINUTE_MS;
const MOST_KEPT = 50;
/**
 * Characters of a failed process's words that an error has: a sentence, or the beginning of what
 * Node.js prints when memory is full.
 */
const MOST_SAID = 500;

export interface ReportSource {
  settings: Pick<Settings, 'databaseUrls' | 'files'>;
  db: Database;
  site: BuiltSite;
  signal?: AbortSignal | undefined;
  /** Starts the program that reads; a process by default. */
  startReading?: StartReading | undefined;
}

type StartReading = (
  source: Pick<ReportSource, 'settings' | 'signal'>,
  program: string,
  order: Omit<FiguresOrder, 'urls' | 'file'>,
) => Readable;

export type BothFigures = Record<'now' | 'before', Figures>;

export function openReports(source: ReportSource) {
  const { db, site } = source;
  const figuresOf = keepFigures(source);
  return {
    /** @param now milliseconds since 1970 */
    async read(question: Question, now: number): Promise<Report> {
      const { from, to } = question;
      const { at: readAt, reading } = figuresOf(question, now);
      const links = await readLinks(db);
      const notes = (await readNotes(db)).filter(({ day }) => day >= from && day <= to);
      return makeReport({ question, ...(await reading), links, notes, readAt }, site);
    },
    /** The rows behind a report's figures, as CSV. */
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
 * @returns a function that finds the figures of the last minute, and reads others one after the
 * other
 */
function keepFigures(source: ReportSource) {
  const inTurn = createSerialQueue();
  const readBoth = async (question: Question, now: number) => {
    const selection = selectionOf(question, source.site);
    const began = performance.now();
    const both = await Promise.all([
      readFigures(source, selection, now),
      readFigures(source, { ...selection, period: question.before }, null),
    ]);
    return { now: both[0], before: both[1], tookMs: performance.now() - began };
  };
  const kept = new Map<string, { at: number; reading: ReturnType<typeof readBoth> }>();
  return (question: Question, now: number) => {
    for (const [key, { at }] of kept) if (now - at >= KEPT_MS) kept.delete(key);
    const { from, to, timeZone, filters, isShared, shift } = question;
    const key = JSON.stringify([from, to, timeZone, filters, isShared, shift]);
    const found = kept.get(key);
    if (found) return found;
    const added = { at: now, reading: inTurn(() => readBoth(question, now)) };
    added.reading.catch(() => kept.delete(key));
    kept.set(key, added);
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest);
    return added;
  };
}

/**
 * Reads one report, for a command or a mail.
 *
 * @param fields of the question, as in the page's address
 */
export async function readReport(
  source: ReportSource,
  fields: Record<string, unknown>,
  now = Date.now(),
): Promise<Report> {
  return openReports(source).read(readQuestion(fields, source.site.timeZone, now), now);
}

/** @param now milliseconds since 1970; null: they need not say how complete they are */
async function readFigures(source: ReportSource, selection: Selection, now: number | null) {
  const output = startReading(source, { what: 'figures', ...selection, now });
  return readResult<Figures>(output, MOST_MS);
}

/** Reads the JSON that a process writes. @throws (rejects with) an Error after this time */
export async function readResult<Result>(output: Readable, mostMs: number): Promise<Result> {
  const tooLong = new Error(`The report takes more than ${mostMs / SECOND_MS} s to read`);
  const late = setTimeout(() => output.destroy(tooLong), mostMs);
  return JSON.parse(await text(output).finally(() => clearTimeout(late)));
}

const startReading = (source: ReportSource, order: Omit<FiguresOrder, 'urls' | 'file'>): Readable =>
  (source.startReading ?? startProcess)(source, PROGRAM, order);

/**
 * @returns the process's standard output. If the process fails, so does the output, with an Error
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
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (words: string) => {
    said = (said + words).slice(0, MOST_SAID);
  });
  // Its output ends before its exit code is known.
  child.on('close', (code, endedBy) => {
    if (code === 0) output.end();
    else output.destroy(describeFailure(said, code, endedBy));
  });
  // A process that could not start has no streams. If it ends early, its exit says why.
  child.stdout?.pipe(output, { end: false });
  child.stdin?.on('error', () => {});
  const place = { urls: settings.databaseUrls.map(String), file: settings.files.database };
  child.stdin?.end(JSON.stringify({ ...order, ...place }));
  // A reader that goes away ends it.
  output.on('close', () => child.kill());
  return output;
}

/** @param endedBy a signal, such as SIGKILL where the machine has no memory left */
function describeFailure(said: string, code: number | null, endedBy: NodeJS.Signals | null): Error {
  const how = endedBy ? `was ended by ${endedBy}` : `ended with ${code}`;
  return new Error(`The process that reads the report ${how}${said && `: ${said.trim()}`}`);
}
