/** Defines the metrics. They read the tallies and the figures when Prometheus asks. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import type { Recorder } from '../clicks/record-clicks.ts';
import { ageS, type Figures } from './figures.ts';
import { STANDBY_STATES, type Standby } from './standby.ts';
import { TalliedHistogram } from './tallied-histogram.ts';
import type { Tallies } from './tallies.ts';

export interface MetricParts {
  tallies: Tallies;
  recorder: Pick<Recorder, 'whyNotReady'>;
  figures(): Promise<Figures>;
  /** null: SQLite. */
  standby: Pick<Standby, 'state'> | null;
}

export function makeRegistry(parts: MetricParts): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addDurations(registry, parts.tallies);
  addCounters(registry, parts.tallies);
  addFigures(registry, parts.figures);
  addStates(registry, parts);
  return registry;
}

function addDurations(registry: Registry, { routes, commits }: Tallies): void {
  new TalliedHistogram(registry, {
    name: 'site_http_request_duration_seconds',
    help: 'Time from a request to the begin of its answer, by route and class of status; its count is that of requests',
    read: () =>
      [...routes].flatMap(([route, tally]) =>
        [...tally].map(([digit, durations]) => {
          const labels = { route, status: `${digit}xx` };
          return { labels, durations };
        }),
      ),
  });
  new TalliedHistogram(registry, {
    name: 'site_commit_duration_seconds',
    help: 'Time for which a group of clicks waits for its commit and its log lines',
    read: () => [{ labels: {}, durations: commits }],
  });
}

function addCounters(registry: Registry, tallies: Tallies): void {
  const failed = () => tallies.routes.get(`POST ${LOG_CTA_PATH}`)?.get(5)?.count ?? 0;
  addLabelled(registry, Counter, {
    name: 'site_clicks_total',
    help: 'Clicks by outcome. refused: for good. failed: the browser sends the click again',
    label: 'outcome',
    read: () => ({
      logged: tallies.logged,
      duplicate: tallies.duplicate,
      refused: tallies.refused,
      failed: failed(),
    }),
  });
  addLabelled(registry, Counter, {
    name: 'site_posthog_events_total',
    help: 'Verdicts of PostHog on events. refused: for good',
    label: 'verdict',
    read: () => tallies.posthog,
  });
  new Counter({
    name: 'site_clicks_dropped_by_browsers_total',
    help: 'Clicks that browsers dropped from a full outbox, as they report it',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(tallies.dropped);
    },
  });
}

type Figure = [name: string, help: string, read: (figures: Figures) => number | null | undefined];

/** Servers that share a database report the same, except for the free bytes. */
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

function addFigures(registry: Registry, figures: MetricParts['figures']): void {
  for (const [name, help, read] of FIGURES) {
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        const value = read(await figures()) ?? null;
        if (value === null) this.remove();
        else this.set(value);
      },
    });
  }
}

function addStates(registry: Registry, { recorder, standby }: MetricParts): void {
  new Gauge({
    name: 'site_ready',
    help: '1 while the server keeps clicks, as GET /readyz says',
    registers: [registry],
    collect() {
      this.set(Number(recorder.whyNotReady() === null));
    },
  });
  if (!standby) return;
  addLabelled(registry, Gauge, {
    name: 'site_standby',
    help: 'Whether PostgreSQL has a synchronous standby: 1 for the present state',
    label: 'state',
    read: () =>
      Object.fromEntries(STANDBY_STATES.map((state) => [state, Number(state === standby.state())])),
  });
}

interface Labelled {
  name: string;
  help: string;
  label: string;
  /** Each value of the label with its number. */
  read(): Record<string, number>;
}

function addLabelled(
  registry: Registry,
  Kind: typeof Counter<string> | typeof Gauge<string>,
  { name, help, label, read }: Labelled,
): void {
  new Kind({
    ...{ name, help, labelNames: [label], registers: [registry] },
    collect() {
      this.reset();
      for (const [value, n] of Object.entries(read())) this.inc({ [label]: value }, n);
    },
  });
}
