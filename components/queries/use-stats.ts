import { useQuery } from '@tanstack/react-query';
import { STATS_POLL_MS } from '#contract/limits.ts';
import type { Stats } from '#contract/stats.schema.ts';
import { queryClient } from './query-client.ts';

/** Polls the total counts every 30 seconds while the page is visible. */
export const useStats = () =>
  useQuery<Stats>(
    {
      queryKey: ['/api/stats'],
      refetchInterval: STATS_POLL_MS,
      refetchIntervalInBackground: false,
    },
    queryClient,
  );
