/** The files of a data folder. */
import { join } from 'node:path';

/** Scripts may rely on the names. @param dataDir absolute path */
export function dataFiles(dataDir: string) {
  return {
    /** The record of truth: one JSON line per accepted click. */
    ledger: join(dataDir, 'clicks.jsonl'),
    /** Empty file, locked by the server that writes the ledger. */
    lock: join(dataDir, 'clicks.lock'),
    /** The ledger's id, for servers that share a database. */
    ledgerId: join(dataDir, 'clicks.id'),
    /** Days and counts of the clicks that CLICK_RETENTION_DAYS or `clicks forget` has deleted. */
    deletedClicks: join(dataDir, 'clicks.deleted.jsonl'),
    /** Places of the ledger whose lines another program removed, until `clicks verify` finds no difference. */
    ledgerChanges: join(dataDir, 'clicks.changed.jsonl'),
    /** Lines that `clicks forget` is replacing just now. A crash leaves the file. */
    forgetJournal: join(dataDir, 'clicks.forget.json'),
    /** Empty file, locked while `clicks forget` runs. */
    forgetLock: join(dataDir, 'clicks.forget.lock'),
    /** The newest trusted time. */
    clock: join(dataDir, 'clock.json'),
    rejectedBodies: join(dataDir, 'refused.jsonl'),
    /** The click index. It may be deleted, and is then rebuilt. */
    clickIndex: join(dataDir, 'site.sqlite'),
    /** The counts that the statistics show until the end of this period. May be deleted. */
    publishedCounts: join(dataDir, 'stats.json'),
    /** The registrations: a record of truth too, and so not in the index. */
    registrations: join(dataDir, 'registrations.sqlite'),
    /** PostHog's receipts: not in the index, because the ledger cannot restore them. */
    receipts: join(dataDir, 'posthog.sqlite'),
    /** The keys of the registrations, if no others are given. */
    registrationKeys: join(dataDir, 'registrations.keys'),
    /** Folder of the mails without an SMTP server. */
    mail: join(dataDir, 'mail'),
  };
}
