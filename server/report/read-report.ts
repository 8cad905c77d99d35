/** Reads a report in a process of its own, so that clicks never wait for it. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import type { Database } from '../database/database.ts';
import { readLinks } from '../links/known-links.ts';
import type { Settings } from '../settings.ts';
import type { Figures } from './figures.ts';
import type { Question } from './question.ts';
import { makeReport, type Report } from './report.ts';

/** The process gets it by standard input, because every user may see the arguments of a process. */
export interface FiguresOrder {
  /** Of PostgreSQL's servers; none: SQLite. */
  urls: string[];
  file: string;
  question: Question;
}

export interface BothFigures {
  now: Figures;
  before: Figures;
}

const PROGRAM = join(import.meta.dirname, 'figures-process.ts');
export const MOST_MS = 60_000;
const MOST_BYTES = 64 * 1024 * 1024;

export interface ReportSource {
  settings: Pick<Settings, 'databaseUrls' | 'files'>;
  db: Database;
  site: BuiltSite;
  signal?: AbortSignal | undefined;
}

export async function readReport(
  { settings, db, site, signal }: ReportSource,
  question: Question,
): Promise<Report> {
  const { databaseUrls, files } = settings;
  const order = { urls: databaseUrls.map(String), file: files.database, question };
  const [figures, links] = await Promise.all([readApart(order, signal), readLinks(db)]);
  const { registerForm: hasForm, mail } = site;
  return makeReport({ question, ...figures, productName: mail.productName, hasForm }, links);
}

async function readApart(order: FiguresOrder, signal?: AbortSignal): Promise<BothFigures> {
  const running = promisify(execFile)(process.execPath, [PROGRAM], {
    ...{ timeout: MOST_MS, maxBuffer: MOST_BYTES, signal },
  });
  running.child.stdin?.end(JSON.stringify(order));
  return JSON.parse((await running).stdout);
}
