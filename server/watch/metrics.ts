/** The server's own metrics, for Prometheus. Loaded with ADMIN_PASSWORD alone, because the library takes 50 ms of a start. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import type { Committed, Recorder } from '../clicks/record-clicks.ts';
import { ageS, type Figures } from './figures.ts';
import { STANDBY_STATES, type Standby } from './standby.ts';

/** Upper bounds of durations, in seconds. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/** Series that are there from the start, because Prometheus takes a rate only of those. */
const OUTCOMES = ['logged', 'duplicate', 'refused', 'failed'] as const;
const VERDICTS = ['taken', 'retried', 'refused'] as const;

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const answers = new Histogram({
    name: 'site_http_request_duration_seconds',
    help: 'Time from a request until the server begins its answer, by route and class of status; its count is that of requests',
    ...{ labelNames: ['route', 'status'], buckets, registers },
  });
  const commits = new Histogram({
    name: 'site_commit_duration_seconds',
    help: 'Time for which a group of clicks waits for its commit and its log lines',
    ...{ buckets, registers },
  });
  const clicks = new Counter({
    name: 'site_clicks_total',
    help: 'Clicks by outcome. refused: for good. failed: the browser sends the click again',
    ...{ labelNames: ['outcome'], registers },
  });
  const events = new Counter({
    name: 'site_posthog_events_total',
    help: 'Verdicts of PostHog on events. refused: for good',
    ...{ labelNames: ['verdict'], registers },
  });
  const dropped = new Counter({
    name: 'site_clicks_dropped_by_browsers_total',
    help: 'Clicks that browsers dropped from a full outbox, as they report it',
    registers,
  });
  for (const outcome of OUTCOMES) clicks.inc({ outcome }, 0);
  for (const verdict of VERDICTS) events.inc({ verdict }, 0);
  return {
    registry,
    /** Counts an answer. @param route such as `POST /api/log-cta` */
    answer(route: string, status: number, seconds: number): void {
      const digit = Math.trunc(status / 100);
      answers.observe({ route, status: `${digit}xx` }, seconds);
      if (digit === 5 && route === `POST ${LOG_CTA_PATH}`) clicks.inc({ outcome: 'failed' });
    },
    /** Counts a group of clicks. */
    commit(group: Committed): void {
      commits.observe(group.seconds);
      clicks.inc({ outcome: 'logged' }, group.logged);
      clicks.inc({ outcome: 'duplicate' }, group.duplicate);
      dropped.inc(group.dropped);
    },
    /** Counts a body that is refused for good. */
    refuse: (): void => clicks.inc({ outcome: 'refused' }),
    /** Counts what became of a batch of events. */
    settle({ done, later, refused }: Record<'done' | 'later' | 'refused', unknown[]>): void {
      events.inc({ verdict: 'taken' }, done.length);
      events.inc({ verdict: 'retried' }, later.length);
      events.inc({ verdict: 'refused' }, refused.length);
    },
  };
}

export interface States {
  recorder: Pick<Recorder, 'whyNotReady'>;
  figures(): Promise<Figures>;
  /** null: SQLite. */
  standby: Pick<Standby, 'state'> | null;
}

/** Adds what is read when Prometheus asks. Servers that share a database report the same figures, except for the free bytes. */
export function addStates({ registry }: Metrics, { recorder, figures, standby }: States): void {
  const add = (name: string, help: string, read: () => Promise<number | null | undefined>) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        const value = (await read()) ?? null;
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  add('site_ready', '1 while the server keeps clicks, as GET /readyz says', async () =>
    Number(recorder.whyNotReady() === null),
  );
  for (const [name, help, read] of FIGURES) add(name, help, async () => read(await figures()));
  if (!standby) return;
  new Gauge({
    name: 'site_standby',
    help: 'Whether PostgreSQL has a synchronous standby: 1 for the present state',
    ...{ labelNames: ['state'], registers: [registry] },
    collect() {
      for (const state of STANDBY_STATES) this.set({ state }, Number(state === standby.state()));
    },
  });
}

type Figure = [name: string, help: string, read: (figures: Figures) => number | null | undefined];

const FIGURES: Figure[] = [
  ['site_posthog_waiting_events', 'Events that wait for PostHog', (f) => f.posthog?.waiting],
  [
    'site_posthog_oldest_age_seconds',
    'Age of the oldest event that waits for PostHog; 0: none',
    (f) => f.posthog && ageS(f.posthog.oldestAt),
  ],
  ['site_mails_waiting', 'Mails that have not been sent', (f) => f.mails?.waiting],
  [
    'site_mails_oldest_age_seconds',
    'Age of the oldest mail that has not been sent; 0: none',
    (f) => f.mails && ageS(f.mails.oldestAt),
  ],
  ['site_data_free_bytes', 'Free bytes on the disk of DATA_DIR', (f) => f.freeBytes],
];
