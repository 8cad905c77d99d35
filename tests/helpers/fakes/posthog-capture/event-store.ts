/** Stores events, and merges repetitions as PostHog does later: by uuid, event, timestamp and distinct id. */

export interface StoredEvent {
  uuid: string;
  event: string;
  distinct_id: string;
  timestamp: string;
  properties: Record<string, unknown>;
  token: string;
}

/** A stored copy, with what the stand-in knows about its request. */
export interface ArrivedEvent extends StoredEvent {
  /** Milliseconds since 1970. */
  at: number;
}

const keyOf = ({ uuid, event, timestamp, distinct_id }: StoredEvent) =>
  JSON.stringify([uuid, event, Date.parse(timestamp), distinct_id]);

/** One of each event, in the order of their first copies. */
export const mergeEvents = <E extends StoredEvent>(copies: readonly E[]): E[] =>
  [...new Map(copies.toReversed().map((event) => [keyOf(event), event])).values()].reverse();
