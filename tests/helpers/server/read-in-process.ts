/**
 * Reads a report in the test's own process. The server starts a process for each report
 * (read-report.ts), which would cost 0.4 s each time.
 */
import { Readable } from 'node:stream';
import { openReader } from '../../../server/database/open-reader.ts';
import { readNews } from '../../../server/report/causes/read-news.ts';
import { readNotes } from '../../../server/report/figures/notes.ts';
import { readFigures } from '../../../server/report/figures/read-figures.ts';
import {
  type ReportSource,
  type readReport,
  startProcess,
} from '../../../server/report/figures/read-report.ts';
import { makeReport } from '../../../server/report/figures/report.ts';
import type { LookForNews } from '../../../server/report/mails/alert.ts';
import { readQuestion } from '../../../server/report/question.ts';

export const readInProcess: typeof readReport = async (source, fields, now = Date.now()) => {
  const { settings, db, site } = source;
  const question = readQuestion(fields, site.timeZone, now);
  const reader = await openReader(settings.databaseUrls.map(String), settings.files.database);
  await reader.freeze();
  const figures = {
    now: await readFigures(reader, { ...question, now }),
    before: await readFigures(reader, { ...question, period: question.before, now: null }),
  };
  await reader.close();
  const notes = await readNotes(db);
  return makeReport({ question, ...figures, links: [], notes, readAt: now, tookMs: 1 }, site);
};

/** Reads figures in this process, and starts a process only for rows, which are streamed. */
export const startReadingHere: NonNullable<ReportSource['startReading']> = (
  source,
  program,
  order,
) =>
  order.what === 'figures'
    ? Readable.from(figuresAsJson(source, order))
    : startProcess(source, program, order);

async function* figuresAsJson(
  { settings }: Pick<ReportSource, 'settings'>,
  order: Parameters<typeof readFigures>[1],
) {
  const reader = await openReader(settings.databaseUrls.map(String), settings.files.database);
  try {
    await reader.freeze();
    yield JSON.stringify(await readFigures(reader, order));
  } finally {
    await reader.close();
  }
}

/** Looks for news in this process. */
export const lookHere: LookForNews = async ({ settings }, order) => {
  const reader = await openReader(settings.databaseUrls.map(String), settings.files.database);
  await reader.freeze();
  return readNews(reader, order).finally(() => reader.close());
};
