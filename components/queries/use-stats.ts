import { useQuery } from '@tanstack/react-query';
import { STATS_POLL_MS } from '#contract/limits.ts';
import { queryClient } from './query-client.ts';

/** The part of the answer that the page shows (server/stats/stats.ts). */
interface Stats {
  clicks: { total: number };
}

/** Polls the total counts every 30 seconds while the page is visible. */
export const useStats = () =>
  useQuery<Stats>({ queryKey: ['/api/stats'], refetchInterval: STATS_POLL_MS }, queryClient);
