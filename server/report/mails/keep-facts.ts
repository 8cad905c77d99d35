/** Looks at each day, and keeps what the report says of it, where no mail does so. */
import type { Clock } from '../../time.ts';
import type { ReportSource } from '../figures/read-report.ts';
import { type LookForNews, lookInProcess, readMemory } from './alert.ts';
import { noteMail } from './note-mail.ts';
import { dueDay } from './week.ts';

interface Parts extends ReportSource {
  /** Looks in a process of its own. */
  look?: LookForNews | undefined;
  now?: Clock | undefined;
}

/**
 * Looks at the last day that is over, once. The report names what the look finds, so a mail that is
 * configured later does not name it again.
 */
export async function keepFacts(parts: Parts): Promise<void> {
  const { db, site, look = lookInProcess, now = Date.now } = parts;
  const day = String(dueDay(now(), site.timeZone));
  const before = await readMemory(db);
  if (before?.day === day) return;
  const order = { timeZone: site.timeZone, day, memory: before, now: now() };
  const { memory } = await look(parts, order);
  await db.transaction(noteMail, [], now(), memory);
}
