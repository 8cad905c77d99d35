/** Marks a replay on PostHog's charts, where its clicks appear afterwards. */
import type { Config } from '../../server/config.ts';
import { markOnCharts } from '../../server/posthog/dashboard/mark-on-charts.ts';
import { replayMark } from '../../server/posthog/dashboard/marks.ts';
import { managementAccess } from '../../server/posthog/management/management-access.ts';
import { openManagement } from '../../server/posthog/management/management-api.ts';
import type { Tally } from './tally.ts';

/** The time of the clicks that a replay has sent, in milliseconds since 1970. */
export interface Span {
  from: number;
  to: number;
}

export const newSpan = (): Span => ({ from: Number.POSITIVE_INFINITY, to: 0 });

export function widen(span: Span, events: { timestamp: string }[]): void {
  for (const { timestamp } of events) {
    const time = Date.parse(timestamp);
    span.from = Math.min(span.from, time);
    span.to = Math.max(span.to, time);
  }
}

/** Does nothing without a personal key, or if PostHog took no click. A failure is only a warning. */
export async function markReplay(
  config: Pick<Config, 'posthogApp'>,
  { from, to }: Span,
  { ok, warning, accepted }: Tally,
  warn: (message: string) => void,
): Promise<void> {
  const taken = ok + warning + accepted;
  if (config.posthogApp.key === null || taken === 0) return;
  try {
    await markOnCharts(openManagement(managementAccess(config)), replayMark(from, to, taken));
  } catch (error) {
    warn(`PostHog's charts have no mark of this replay. ${(error as Error).message}`);
  }
}
