import { QueryObserver } from '@tanstack/react-query';
import { STATS_POLL_MS } from '#contract/limits.ts';
import { queryClient } from './query-client.ts';

/** The part of the answer that the page shows (server/stats/stats.ts). */
interface Stats {
  clicks: { total: number };
}

/**
 * Polls the total counts every 30 seconds while the page is visible. Without a hook, because the
 * page asks for the counts long before it needs React.
 */
export function pollStats(onTotal: (total: number) => void): void {
  const stats = new QueryObserver<Stats>(queryClient, {
    queryKey: ['/api/stats'],
    refetchInterval: STATS_POLL_MS,
  });
  stats.subscribe(({ data }) => onTotal(data?.clicks.total ?? 0));
}
