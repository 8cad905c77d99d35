/** Defines every metric, and fills it from the tallies when Prometheus asks. docs/decisions/022-metrics-and-health.md says why. */
import { Counter, collectDefaultMetrics, Gauge, Registry } from '@prometheus-io/client';
import type { BucketTally } from './bucket-tally.ts';
import type { GaugeSource } from './gauges.ts';
import { TalliedHistogram } from './tallied-histogram.ts';
import type { Tallies } from './tallies.ts';

/** Upper bound for reading a figure, so that a database that does not answer costs only its own figures. */
const PATIENCE_MS = 2000;

type Sample = [labels: Record<string, string>, value: number];

export function makeRegistry(tallies: Tallies, gauges: readonly GaugeSource[]): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addRequests(registry, tallies);
  addClicks(registry, tallies);
  addDurations(registry, tallies);
  for (const gauge of gauges) addGauge(registry, gauge);
  return registry;
}

function addRequests(registry: Registry, { routes }: Tallies): void {
  addCounter(registry, {
    name: 'site_http_requests_total',
    help: 'Answered requests by route and status. 429: over the rate limit',
    labelNames: ['route', 'status'],
    read: () =>
      [...routes].flatMap(([route, { answers }]) =>
        [...answers].map(([status, n]): Sample => [{ route, status: String(status) }, n]),
      ),
  });
  new TalliedHistogram({
    name: 'site_http_request_duration_seconds',
    help: 'Time from a request’s head to the begin of its answer',
    registry,
    labelNames: ['route'],
    read: () =>
      [...routes]
        .filter(([, { answers }]) => answers.size > 0)
        .map(([route, { seconds }]): [Record<string, string>, BucketTally] => [{ route }, seconds]),
  });
}

function addClicks(registry: Registry, tallies: Tallies): void {
  addCounter(registry, {
    name: 'site_clicks_total',
    help: 'Valid clicks by event, channel and outcome. failed: the browser sends the click again',
    labelNames: ['event', 'via', 'outcome'],
    read: () =>
      [...tallies.clicks].flatMap(([event, channels]) =>
        Object.entries(channels).flatMap(([via, outcomes]) =>
          Object.entries(outcomes).map(([outcome, n]): Sample => [{ event, via, outcome }, n]),
        ),
      ),
  });
  addCounter(registry, {
    name: 'site_clicks_rejected_total',
    help: 'Bodies rejected for good, by reason. They are in refused.jsonl',
    labelNames: ['reason'],
    read: () => [...tallies.rejected].map(([reason, n]): Sample => [{ reason }, n]),
  });
  addCounter(registry, {
    name: 'site_clicks_dropped_by_browsers_total',
    help: 'Clicks that browsers lost from a full outbox, as they report it',
    labelNames: [],
    read: () => [[{}, tallies.droppedByBrowsers]],
  });
  addCounter(registry, {
    name: 'site_posthog_receipts_total',
    help: 'Verdicts of PostHog by channel',
    labelNames: ['channel', 'verdict'],
    read: () =>
      [...tallies.receipts].map(([key, n]): Sample => {
        const [channel = '', verdict = ''] = key.split(' ');
        return [{ channel, verdict }, n];
      }),
  });
}

function addDurations(registry: Registry, tallies: Tallies): void {
  const histograms: [name: string, help: string, BucketTally][] = [
    ['site_click_group_size', 'Clicks that shared a disk write', tallies.groupSize],
    ['site_ledger_write_seconds', 'Duration of a write to the ledger', tallies.ledgerWrite],
    ['site_ledger_fsync_seconds', 'Duration of an fdatasync of the ledger', tallies.ledgerSync],
    [
      'site_index_commit_seconds',
      'Duration of a group’s transaction in the index, without the ledger',
      tallies.indexCommit,
    ],
  ];
  for (const [name, help, tally] of histograms)
    new TalliedHistogram({ name, help, registry, read: () => [[{}, tally]] });
}

interface CounterSource {
  name: string;
  help: string;
  labelNames: string[];
  read(): Sample[] | Promise<Sample[]>;
}

function addCounter(registry: Registry, { name, help, labelNames, read }: CounterSource): void {
  new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const samples = await read();
      this.reset();
      for (const [labels, value] of samples) this.inc(labels, value);
    },
  });
}

function addGauge(registry: Registry, { name, help, read, isCounter }: GaugeSource): void {
  if (isCounter) {
    const value = async (): Promise<Sample[]> => [[{}, (await inTime(read)) ?? 0]];
    addCounter(registry, { name, help, labelNames: [], read: value });
    return;
  }
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await inTime(read);
      if (value === null) this.remove();
      else this.set(value);
    },
  });
}

/** Returns null after PATIENCE_MS or a failure. The failing part logs its failure itself. */
async function inTime(read: GaugeSource['read']): Promise<number | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const limit = setTimeout(resolve, PATIENCE_MS, null);
  try {
    return await Promise.race([read(), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(limit);
  }
}
