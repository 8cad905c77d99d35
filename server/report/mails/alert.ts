/** Writes the mail about what is unusual or over, and about hours without a visit. */
import { join } from 'node:path';
import type { Database } from '../../database/database.ts';
import { printable } from '../../html/safe-text.ts';
import { readLinks } from '../../links/known-links.ts';
import { MINUTE_MS } from '../../time.ts';
import type { Hole } from '../causes/find-hole.ts';
import type { Memory, News, NewsOrder } from '../causes/read-news.ts';
import { holeSentence } from '../causes/sentences.ts';
import { type NameOf, plainNames } from '../causes/words.ts';
import { type Context, type Mail, writeAlert, writeMail } from '../causes/write-alert.ts';
import { readNotes } from '../figures/notes.ts';
import { type ReportSource, readResult, startProcess } from '../figures/read-report.ts';
import { describeValue } from '../figures/selection.ts';

const PROGRAM = join(import.meta.dirname, '../causes/news-process.ts');
/** A million visits of 120 days take about 12 s. */
const MOST_MS = 10 * MINUTE_MS;

/** Looks in a process of its own. */
export type LookForNews = (source: ReportSource, order: NewsOrder) => Promise<News>;
export const lookInProcess: LookForNews = (source, order) =>
  readResult<News>(startProcess(source, PROGRAM, order), MOST_MS);

export async function readMemory(db: Database): Promise<Memory | null> {
  const [row] = await db.read('SELECT day, told FROM report_told');
  return row ? { day: String(row.day), told: JSON.parse(String(row.told)) } : null;
}

/** @returns null: nothing is new or over */
export async function writeNews(source: ReportSource, news: News): Promise<Mail | null> {
  const { changes, over } = news;
  if (changes.length + over.length === 0) return null;
  return writeAlert(changes, over, await contextOf(source));
}

export async function writeHole(source: ReportSource, hole: Hole): Promise<Mail | null> {
  const advice = ['Open the site from outside, then look at /healthz.'];
  return writeMail([holeSentence(hole)], advice, await contextOf(source));
}

/**
 * A hole is told too, so that the look at its day does not mail it again, and says when it is over.
 */
export const withHole = (memory: Memory, { since, usual }: Hole): Memory => {
  const [day = ''] = since.split('T');
  const change = { slice: {}, measure: 'visits' as const, ratio: 0, usual };
  return { ...memory, told: [...memory.told, { ...change, since: day, toldOn: day, ended: null }] };
};

async function contextOf({ db, site }: ReportSource): Promise<Context> {
  const names = new Map((await readLinks(db)).map(({ key, name }) => [key, name]));
  const nameOf: NameOf = (dimension, value) => {
    if (dimension === 'ref') return printable(names.get(value) ?? value);
    if (dimension === 'class') return describeValue(dimension, value).name;
    if (dimension === 'cta') return `Button (${describeValue(dimension, value).code || value})`;
    return printable(plainNames(dimension, value));
  };
  const { siteUrl, mail } = site;
  return { nameOf, notes: await readNotes(db), siteUrl, productName: mail.productName };
}
