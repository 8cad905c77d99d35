import { QueryObserver } from '@tanstack/react-query';
import { STATS_POLL_MS } from '#contract/limits.ts';
import { queryClient } from './query-client.ts';

/** The part of the response of `/api/stats` that the page uses (server/stats/stats.ts). */
type Stats = { clicks?: { total?: unknown } | null } | null;

/**
 * Polls the number of clicks every 30 seconds while the page is visible. It uses no React hook,
 * because the page polls before it has loaded React.
 *
 * @param onTotal called with each response: the number of all clicks, 0 after a failure
 */
export function pollStats(onTotal: (total: number) => void): void {
  const stats = new QueryObserver<Stats>(queryClient, {
    queryKey: ['/api/stats'],
    refetchInterval: STATS_POLL_MS,
  });
  stats.subscribe(({ data }) => onTotal(readTotal(data)));
}

/**
 * Returns the number of all clicks. An answer of another shape, as a proxy may give, counts as 0: an
 * error here would stop every second poll.
 */
function readTotal(stats?: Stats): number {
  const total = stats?.clicks?.total;
  return typeof total === 'number' ? total : 0;
}
