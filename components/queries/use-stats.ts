import { useQuery } from '@tanstack/react-query';
import type { Stats } from '#contract/stats.schema.ts';
import { STATS_POLL_MS } from './stats-poll.ts';

/** Polls the total counts every 30 seconds while the page is visible. */
export function useStats() {
  return useQuery<Stats>({
    queryKey: ['/api/stats'],
    refetchInterval: STATS_POLL_MS,
    refetchIntervalInBackground: false,
  });
}
