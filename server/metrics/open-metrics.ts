/** Opens the metrics: observers for the parts of the server, and a listener for Prometheus. */
import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import type { ClickWatch } from '../clicks/watch.ts';
import type { Receipt } from '../posthog/receipts.ts';
import { type GaugeParts, gaugeSources } from './gauges.ts';
import { listenForScrapes, type MetricsListener } from './listen.ts';
import { addTo, createTallies } from './tallies.ts';
import { watchClicks } from './watch-clicks.ts';
import { watchRequests } from './watch-requests.ts';

export interface Metrics {
  watchClicks: ClickWatch;
  watchRequests: FastifyPluginAsync;
  onReceipts(receipts: readonly Receipt[]): void;
  /** Opens the port. Call it when the site listens, because the library's loading would delay the first answer. */
  listen(parts: GaugeParts, log: Pick<Logger, 'info' | 'warn'>): MetricsListener;
}

/** @param port null: the metrics are off, and nothing is counted */
export function openMetrics(port: number | null): Metrics | null {
  if (port === null) return null;
  const tallies = createTallies();
  return {
    watchClicks: watchClicks(tallies),
    watchRequests: watchRequests(tallies),
    onReceipts(receipts) {
      for (const { channel, verdict } of receipts) addTo(tallies.receipts, `${channel} ${verdict}`);
    },
    listen(parts, log) {
      const registry = import('./make-registry.ts').then(({ makeRegistry }) =>
        makeRegistry(tallies, gaugeSources(parts)),
      );
      // A scrape reports the error.
      registry.catch(() => {});
      return listenForScrapes({ port, registry: () => registry, log });
    },
  };
}
