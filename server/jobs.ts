/**
 * Lists the background jobs. process/scheduler.ts runs each job, pauses, and tries again after a
 * failure.
 */
import type { Logger } from 'pino';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { countKnownButtons, type StoreOptions } from './clicks/store-clicks.ts';
import type { ClockWatch } from './clicks/watch-clock.ts';
import type { Database } from './database/database.ts';
import type { StandbyWatch } from './database/postgres/standby.ts';
import { PROBE_MS, type WriteHealth } from './database/write-health.ts';
import { loadMailer, sendMail } from './mail/smtp.ts';
import { notePosthogState } from './posthog/outbox.ts';
import { postBatch } from './posthog/post-batch.ts';
import { createSender } from './posthog/sender.ts';
import type { Job } from './process/scheduler.ts';
import type { KeyRing } from './registrations/key-ring.ts';
import { createMailSender } from './registrations/mails.ts';
import { keepFacts } from './report/mails/keep-facts.ts';
import { createReportMails } from './report/mails/mails.ts';
import { createRetention } from './retention.ts';
import type { Settings } from './settings.ts';
import type { Stats } from './stats/read-stats.ts';
import { type Clock, HOUR_MS, MINUTE_MS, SECOND_MS } from './time.ts';
import type { Metrics } from './watch/metrics.ts';
import type { SiteWatch } from './watch/watch-site.ts';

export interface JobParts {
  settings: Settings;
  site: BuiltSite;
  db: Database;
  health: WriteHealth;
  ring: KeyRing;
  storeOptions: StoreOptions;
  log: Logger;
  stats: Stats;
  /** The watch of PostgreSQL's standby; null with SQLite. */
  standby: StandbyWatch | null;
  /** Null for a local site, which has no public address. */
  siteWatch: SiteWatch | null;
  metrics?: Metrics | null | undefined;
  now?: Clock | undefined;
  /** Milliseconds since the start, by a clock that does not follow the machine's date. */
  uptime?: Clock | undefined;
  /** While the server's clock is in doubt, nothing is deleted for its age. */
  clock?: ClockWatch | undefined;
  /** Tests replace parts of the sender to PostHog and of the two senders of mails. */
  events?: Partial<Parameters<typeof createSender>[0]> | undefined;
  mails?: Partial<Parameters<typeof createMailSender>[0]> | undefined;
  reports?: Partial<Parameters<typeof createReportMails>[0]> | undefined;
}

/** Returns the jobs that this site's settings need. */
export function listJobs(parts: JobParts): Job[] {
  const jobs = [
    makePosthogJob(parts),
    makeRegistrationMailsJob(parts),
    makeReportMailsJob(parts),
    makeReportFactsJob(parts),
    makeRetentionJob(parts),
    makeKnownButtonsJob(parts),
    makeStatsJob(parts),
    makeStandbyJob(parts),
    makeWriteProbeJob(parts),
    makeSiteWalkJob(parts),
  ];
  return jobs.filter((job) => job !== null);
}

/** Sends the outbox to PostHog. Null if there is no PostHog. */
function makePosthogJob({ site, db, log, metrics, now, events }: JobParts): Job | null {
  const { posthogKey: key, posthogHost: host } = site;
  if (key === null) return null;
  const sender = createSender({
    db,
    log,
    post: (batch, signal) => postBatch({ host, key, now }, batch, signal),
    onSettled: metrics?.settle,
    now,
    ...events,
  });
  return {
    name: 'posthog',
    everyMs: SECOND_MS,
    longestPauseMs: MINUTE_MS,
    onePerDatabase: true,
    run: sender.sendBatch,
    onFailure: ({ message }, isNew) => {
      if (isNew) log.warn(`PostHog gets no events: ${message}`);
    },
    onRecovery: () => log.info('PostHog gets events again'),
  };
}

/** Sends the mails after registrations. Null if there is no SMTP server. */
function makeRegistrationMailsJob(parts: JobParts): Job | null {
  const { settings, site, db, ring, log, now, mails } = parts;
  const { SMTP_URL: smtpUrl } = settings;
  if (!smtpUrl) {
    if (site.registerForm)
      log.warn('No SMTP_URL: mails after registrations are not sent. They wait in the database');
    return null;
  }
  const sender = createMailSender({
    settings,
    site,
    db,
    ring,
    log,
    send: (from, mail) => sendMail(smtpUrl, from, mail),
    now,
    ...mails,
  });
  // Loaded now, because later it would block the event loop while a visitor waits. If that fails,
  // the first mail reports it.
  loadMailer().catch(() => {});
  return {
    name: 'mails',
    everyMs: 5 * SECOND_MS,
    longestPauseMs: 5 * MINUTE_MS,
    onePerDatabase: true,
    finishLast: sender.settle,
    run: sender.sendNext,
    onFailure: ({ message: reason }, isNew) => {
      if (isNew) log.error({ reason }, 'Mails cannot be sent; they wait');
    },
    onRecovery: () => log.info('Mails can be sent again'),
  };
}

/** Sends the weekly mail and the alerts. Null if nobody should get them. */
function makeReportMailsJob({
  settings,
  site,
  db,
  log,
  siteWatch,
  now,
  reports,
}: JobParts): Job | null {
  const { SMTP_URL: smtpUrl } = settings;
  if (!smtpUrl || !hasReportMails(settings)) return null;
  const mails = createReportMails({
    settings,
    site,
    db,
    log,
    siteWatch,
    send: (from, mail) => sendMail(smtpUrl, from, mail),
    now,
    ...reports,
  });
  return {
    ...EVERY_HOUR,
    name: 'report-mails',
    onePerDatabase: true,
    async run(signal) {
      await mails.sendDue(signal);
      return false;
    },
    onFailure: mails.logFailures,
  };
}

const hasReportMails = ({ SMTP_URL, REPORT_MAIL_TO }: Settings): boolean =>
  REPORT_MAIL_TO.length > 0 && SMTP_URL !== undefined;

/**
 * Finds the facts at the top of the report. The job for report mails does the same, so this job
 * exists only if there are none.
 */
function makeReportFactsJob({ settings, site, db, log, now, reports }: JobParts): Job | null {
  if (settings.ADMIN_PASSWORD === undefined || hasReportMails(settings)) return null;
  return {
    ...EVERY_HOUR,
    name: 'report-facts',
    onePerDatabase: true,
    async run(signal) {
      await keepFacts({ settings, site, db, now, look: reports?.look, signal });
      return false;
    },
    onFailure: (err) => log.error({ err }, 'What changed could not be found. The report lacks it'),
  };
}

/** Timing of jobs that run once an hour. */
const EVERY_HOUR = { everyMs: HOUR_MS, longestPauseMs: HOUR_MS };

/** Deletes old data. It runs on each server, because each has log files of its own. */
function makeRetentionJob({ settings, site, db, log, clock, now, uptime }: JobParts): Job {
  const folder = settings.dataDir;
  const { deleteSlice } = createRetention({ db, folder, site, log, clock, now, uptime });
  return {
    ...EVERY_HOUR,
    name: 'retention',
    onePerDatabase: false,
    run: deleteSlice,
    onFailure: (err) => log.error({ err }, 'Old data could not be deleted'),
  };
}

/**
 * Counts clicks on buttons that a new version knows. A failure is not logged here, because the
 * recorder logs why the database is unavailable.
 */
function makeKnownButtonsJob({ db, storeOptions, log, now = Date.now }: JobParts): Job {
  return {
    ...EVERY_HOUR,
    name: 'known-buttons',
    onePerDatabase: false,
    async run() {
      await notePosthogState(db, storeOptions.toPosthog, now());
      const count = await db.transaction(countKnownButtons, storeOptions, now());
      if (count > 0) log.info(`Counted ${count} clicks on buttons that this version knows`);
      return false;
    },
  };
}

/** Reads the statistics at the start of each period, even if nobody requests them. */
function makeStatsJob({ stats }: JobParts): Job {
  return {
    name: 'stats',
    everyMs: SECOND_MS,
    longestPauseMs: SECOND_MS,
    onePerDatabase: false,
    async run() {
      await stats.read();
      return false;
    },
  };
}

/** Watches PostgreSQL's standby. Null with SQLite. */
function makeStandbyJob({ standby }: JobParts): Job | null {
  if (standby === null) return null;
  return {
    name: 'standby',
    everyMs: 10 * SECOND_MS,
    longestPauseMs: 10 * SECOND_MS,
    onePerDatabase: false,
    async run(signal) {
      await standby.look(signal);
      return false;
    },
  };
}

/** Probes whether the database takes writes. */
function makeWriteProbeJob({ health }: JobParts): Job {
  return {
    name: 'write-probe',
    everyMs: PROBE_MS,
    longestPauseMs: PROBE_MS,
    onePerDatabase: false,
    async run() {
      await health.probeIfQuiet();
      return false;
    },
  };
}

/**
 * Checks the site at its public address (the walk). It runs on each server, because each has its
 * own files and its own network path. The watch itself knows when a walk is due.
 */
function makeSiteWalkJob({ siteWatch, log }: JobParts): Job | null {
  if (siteWatch === null) return null;
  return {
    name: 'site-walk',
    everyMs: 20 * SECOND_MS,
    longestPauseMs: HOUR_MS,
    onePerDatabase: false,
    async run(signal) {
      await siteWatch.step(signal);
      return false;
    },
    onFailure: (err, isNew) => {
      if (isNew) log.error({ err }, "The site's own walk has failed");
    },
  };
}
