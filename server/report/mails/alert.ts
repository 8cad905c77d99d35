/** Writes the mail about new and ended changes, and the mail about hours without a visit. */
import { join } from 'node:path';
import type { Database } from '../../database/database.ts';
import { MINUTE_MS } from '../../time.ts';
import type { Hole } from '../causes/find-hole.ts';
import type { Memory, News, NewsOrder } from '../causes/read-news.ts';
import { holeSentence } from '../causes/sentences.ts';
import { type Alert, subjectOf, writeAlert } from '../causes/write-alert.ts';
import { type ReportSource, readResult, startProcess } from '../figures/read-report.ts';
import { type MailContext, readContext } from './context.ts';
import type { Letter } from './letter.ts';

const PROGRAM = join(import.meta.dirname, '../causes/news-process.ts');
/** Time limit of a look. One at a million visits of 120 days takes about 12 s. */
const MOST_MS = 10 * MINUTE_MS;

/** Reads the counts and looks for news. */
export type LookForNews = (source: ReportSource, order: NewsOrder) => Promise<News>;
/** Looks in a process of its own, so that clicks never wait for it. */
export const lookInProcess: LookForNews = (source, order) =>
  readResult<News>(startProcess(source, PROGRAM, order), MOST_MS);

/** Reads which changes alerts have mailed, and the last day that was looked at. Null: none was. */
export async function readMemory(db: Database): Promise<Memory | null> {
  const [row] = await db.read('SELECT day, told FROM report_told');
  return row ? { day: String(row.day), told: JSON.parse(String(row.told)) } : null;
}

/** Writes the mail about changes. Null: no change is new or has ended. */
export async function writeNews(source: ReportSource, news: News): Promise<Letter | null> {
  const { changes, over } = news;
  if (changes.length + over.length === 0) return null;
  const context = await readContext(source);
  const alert = writeAlert(changes, over, context);
  return alert && toLetter(alert, changes.length > 0 ? 'Unusual' : 'As before again', context);
}

/** Writes the mail about hours without a visit. */
export async function writeHole(source: ReportSource, hole: Hole): Promise<Letter> {
  const sentence = holeSentence(hole);
  const advice = ['Open the site from outside, then look at /healthz.'];
  const alert = { subject: subjectOf(sentence), sentences: [sentence], advice };
  return toLetter(alert, 'No visits', await readContext(source));
}

const toLetter = (alert: Alert, title: string, context: MailContext): Letter =>
  context.toLetter(alert.subject, title, [
    { lines: alert.sentences.map(context.toLine) },
    { heading: 'What to do', lines: alert.advice.map((text) => ({ text })) },
  ]);

/**
 * Adds a hole to the memory as a mailed change to zero visits. The look at its day then does not
 * mail the same fall again, and a mail says when it has ended.
 */
export const withHole = (memory: Memory, { since, usual }: Hole): Memory => {
  const [day = ''] = since.split('T');
  const change = { slice: {}, measure: 'visits' as const, ratio: 0, usual };
  return { ...memory, told: [...memory.told, { ...change, since: day, toldOn: day, ended: null }] };
};
