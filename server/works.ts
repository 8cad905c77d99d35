/**
 * Lists the works: all functions that run in a transaction. SQLite's thread calls a work by its
 * name, and both databases reject a work that is not on this list. The thread loads everything that
 * these files import, so none of them may import a package such as zod.
 */
import { emptyClicks, keepDayGaps } from './clicks/empty-old-clicks.ts';
import { forgetRows } from './clicks/forget-rows.ts';
import { markClicks, markVisits, unmarkClicks, unmarkVisits } from './clicks/mark-rows.ts';
import { resendSlice } from './clicks/resend-clicks.ts';
import { countKnownButtons, storeClicks } from './clicks/store-clicks.ts';
import { storeImportedClicks } from './clicks/store-imported-clicks.ts';
import { runStatement } from './database/database.ts';
import { probeWrites } from './database/try-click.ts';
import { queueEvents, settleBatch } from './posthog/outbox.ts';
import { replaceRegistrations, storeRegistration } from './registrations/store-registrations.ts';
import { noteMail } from './report/mails/note-mail.ts';
import { storeViews } from './visits/store-views.ts';

export const works = {
  emptyClicks,
  forgetRows,
  keepDayGaps,
  countKnownButtons,
  markClicks,
  markVisits,
  noteMail,
  probeWrites,
  queueEvents,
  replaceRegistrations,
  resendSlice,
  runStatement,
  settleBatch,
  storeClicks,
  storeImportedClicks,
  storeRegistration,
  storeViews,
  unmarkClicks,
  unmarkVisits,
};
