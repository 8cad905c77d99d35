import { useQuery } from '@tanstack/react-query';
import type { Stats } from '#contract/stats.schema.ts';

/** Specification, section 9. */
export const STATS_POLL_MS = 30_000;

/** The counts since the beginning, asked for every 30 seconds while the page is visible. */
export function useStats() {
  return useQuery<Stats>({
    queryKey: ['/api/stats'],
    refetchInterval: STATS_POLL_MS,
    refetchIntervalInBackground: false,
  });
}
