/**
 * Looks at each day and stores the facts of the report, on servers that send no mails of the
 * report.
 */
import type { Clock } from '../../time.ts';
import type { ReportSource } from '../figures/read-report.ts';
import { type LookForNews, lookInProcess, readMemory } from './alert.ts';
import { noteMail } from './note-mail.ts';
import { dueDay } from './week.ts';

interface KeepFactsParts extends ReportSource {
  /** Looks for news. Default: in a process of its own. */
  look?: LookForNews | undefined;
  now?: Clock | undefined;
}

/**
 * Looks at the last day that is over, and stores the facts, once a day. Its changes count as
 * mailed: the report has named them, so alerts that are configured later do not mail them.
 */
export async function keepFacts(parts: KeepFactsParts): Promise<void> {
  const { db, site, look = lookInProcess, now = Date.now } = parts;
  const day = String(dueDay(now(), site.timeZone));
  const memoryBefore = await readMemory(db);
  if (memoryBefore?.day === day) return;
  const order = { timeZone: site.timeZone, day, memory: memoryBefore, now: now() };
  const { memory } = await look(parts, order);
  await db.transaction(noteMail, [], now(), memory);
}
