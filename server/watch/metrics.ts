/**
 * Makes the server's metrics for Prometheus. Loaded only with ADMIN_PASSWORD, because the library
 * takes 50 ms of a start.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import type { NewClickRow } from '../clicks/click.ts';
import type { StoreResult } from '../clicks/store-clicks.ts';
import { STANDBY_STATES, type StandbyState } from '../database/postgres/standby.ts';
import { REFUSAL_REASONS, type RefusalReason } from '../http/refusals.ts';
import { FAULT_KINDS } from './site-fault.ts';
import { ageInSeconds, type HealthFigures } from './watch.ts';

/** Upper bounds of the histogram's buckets, in seconds. */
const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/**
 * Gauges that are read when Prometheus asks: name, help text and value. Servers that share a
 * database report the same values, except for the free bytes.
 */
const GAUGES: [
  name: string,
  help: string,
  (figures: HealthFigures) => number | null | undefined,
][] = [
  ['site_posthog_waiting_events', 'Events that wait for PostHog', (f) => f.posthog?.waiting],
  ['site_posthog_oldest_age_seconds', 'Age of the oldest of them', (f) => ageOf(f.posthog)],
  ['site_mails_waiting', 'Mails that have not been sent', (f) => f.mails?.waiting],
  ['site_mails_oldest_age_seconds', 'Age of the oldest of them', (f) => ageOf(f.mails)],
  ['site_data_free_bytes', 'Free bytes on the disk of DATA_DIR', (f) => f.freeBytes],
];

/** Returns the age of a backlog's oldest entry in seconds; null: the backlog could not be read. */
const ageOf = (backlog: { oldestAt: number | null } | null) =>
  backlog && ageInSeconds(backlog.oldestAt);

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const series = makeSeries([registry]);
  const { clicks, events, leftOut, refusals } = series;
  // Sets each series to 0: Prometheus computes no rate from a series' first value, so the first
  // event of a new series would be missing.
  for (const outcome of ['logged', 'duplicate', 'refused', 'failed']) clicks.inc({ outcome }, 0);
  for (const verdict of ['taken', 'retried', 'refused']) events.inc({ verdict }, 0);
  for (const reason of REFUSAL_REASONS) refusals.inc({ reason }, 0);
  for (const what of ['view', 'event']) leftOut.inc({ what, why: 'host' }, 0);
  leftOut.inc({ what: 'event', why: 'time' }, 0);
  return {
    registry,
    /** Counts the clicks of one commit. `stored` has the outcome of each click of `group`. */
    commit(seconds: number, group: readonly NewClickRow[], stored: readonly StoreResult[]): void {
      const fresh = group.filter((_, i) => stored[i] === 'logged');
      series.commits.observe(seconds);
      clicks.inc({ outcome: 'logged' }, fresh.length);
      clicks.inc({ outcome: 'duplicate' }, group.length - fresh.length);
      series.dropped.inc(fresh.reduce((sum, { dropped }) => sum + (dropped ?? 0), 0));
    },
    /** Counts a click that is not stored. failed: it was answered with 5xx, and comes again. */
    miss: (outcome: 'refused' | 'failed'): void => clicks.inc({ outcome }),
    /** Counts a request that a limit or a rule has refused. */
    refuse: (reason: RefusalReason): void => refusals.inc({ reason }),
    /** Counts the first login from an address, which is a request with the right ADMIN_PASSWORD. */
    logIn: (): void => series.logins.inc(),
    /** Counts a page view or an event of another host, or of a time out of bounds. */
    leaveOut: (what: 'view' | 'event', why: 'host' | 'time'): void => leftOut.inc({ what, why }),
    /** Counts the events of a batch by PostHog's verdict. */
    settle({
      removed,
      postponed,
      refused,
    }: Record<'removed' | 'postponed' | 'refused', unknown[]>): void {
      events.inc({ verdict: 'taken' }, removed.length);
      events.inc({ verdict: 'retried' }, postponed.length);
      events.inc({ verdict: 'refused' }, refused.length);
    },
    /** Sets the gauges before Prometheus reads them. @param standby null: SQLite */
    show(isReady: boolean, standby: StandbyState | null, figures: HealthFigures): void {
      series.ready.set(Number(isReady));
      for (const { read, series: gauge } of series.figures) {
        const value = read(figures) ?? null;
        if (value === null) gauge.remove();
        else gauge.set(value);
      }
      showSiteFaults(series.siteFaults, figures);
      if (standby === null) return;
      for (const state of STANDBY_STATES) series.standby.set({ state }, Number(state === standby));
    },
  };
}

/** Makes all counters, gauges and histograms. */
function makeSeries(registers: Registry[]) {
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers });
  return {
    commits: new Histogram({
      name: 'site_commit_duration_seconds',
      help: 'Time for which a group of clicks waits for its commit and its log lines',
      buckets: BUCKETS_S,
      registers,
    }),
    clicks: counter('site_clicks_total', 'Clicks. failed: the browser sends it again', 'outcome'),
    events: counter('site_posthog_events_total', 'Verdicts of PostHog on events', 'verdict'),
    refusals: counter('site_refusals_total', 'What the server refused to strangers', 'reason'),
    logins: counter(
      'site_first_logins_total',
      'Addresses that have given ADMIN_PASSWORD since the start',
    ),
    leftOut: counter(
      'site_left_out_total',
      'Page views and events in no figure. host: the page is of another site. time: its clock is days off',
      'what',
      'why',
    ),
    dropped: counter(
      'site_clicks_dropped_by_browsers_total',
      'Clicks that browsers dropped from a full outbox, as they report it',
    ),
    standby: gauge('site_standby', 'Whether PostgreSQL has a synchronous standby', 'state'),
    siteFaults: gauge(
      'site_walk_faults',
      "Faults that the last walk over the site's own address met, and that mails may name",
      'kind',
    ),
    ready: gauge('site_ready', '1 while the server keeps clicks, as GET /readyz says'),
    figures: GAUGES.map(([name, help, read]) => ({ read, series: gauge(name, help) })),
  };
}

/**
 * Sets the number of the walk's faults of each kind. A local site has no such series, because it
 * has no walk. Faults that no mail may name are not counted: perhaps only this server meets them.
 */
function showSiteFaults(series: Gauge<string>, { siteFaults }: HealthFigures): void {
  if (siteFaults === null) return;
  for (const kind of FAULT_KINDS) {
    const ofKind = siteFaults.filter((fault) => fault.kind === kind && fault.isForMail);
    series.set({ kind }, ofKind.length);
  }
}
