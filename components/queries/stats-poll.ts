/** How often the hero asks for the counts (specification, section 9). */
export const STATS_POLL_MS = 30_000;
