/** Marks for PostHog's charts, of what the server or a command noticed: an outage, or a replay. */
import type { Outage } from '../delivery-state.ts';

export interface Mark {
  kind: 'outage' | 'replay';
  /** Milliseconds since 1970. */
  from: number;
  to: number;
  text: string;
}

const REASONS: Record<Outage['kind'], string> = {
  away: 'it was away or failed',
  over_quota: 'the project was over its quota',
  refused: 'it refused them',
  unreadable: 'its answers could not be read',
};

export function outageMark({ from, to, kind }: Outage): Mark {
  const time = (ms: number) => new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
  return {
    kind: 'outage',
    from,
    to,
    text: `PostHog took no events from ${time(from)} to ${time(to)} UTC, because ${REASONS[kind]}. The server keeps them and delivers them afterwards.`,
  };
}

/** @param events number of events that were sent */
export const replayMark = (from: number, to: number, events: number): Mark => ({
  kind: 'replay',
  from,
  to,
  text: `${events.toLocaleString('en-US')} clicks were sent again from the log.`,
});
