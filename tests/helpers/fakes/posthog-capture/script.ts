/** The next answers of the stand-in. Without a step it judges the request as PostHog does. */

/** `ok`, or a verdict with its details, such as `retry:not_persisted`. null: the answer does not name the event. */
export type ScriptedVerdict = string | null;

export interface Step {
  /** Waits for it before the answer. */
  until?: Promise<unknown>;
  /** Copies of each event to store: 0 loses them, 2 stores them twice. Default: 1 if the request is taken. */
  copies?: number;
  /** Verdicts of V1 by the order of the events. Only `ok` and `warning` are stored, unless `copies` is given. */
  verdicts?: ScriptedVerdict[];
  /** Replaces the answer. A tag makes PostHog's error body. */
  status?: number;
  tag?: string;
  headers?: Record<string, string>;
  body?: string;
  /**
   * - `cut`: closes the connection without an answer.
   * - `half`: sends the header and half of the body, and closes the connection.
   * - `silent`: sends nothing.
   */
  ending?: 'cut' | 'half' | 'silent';
}

const DESCRIPTION_URI = 'https://posthog.com/docs/api';

/** PostHog's error body of V1. */
export const errorBody = (tag: string, description = tag): string =>
  JSON.stringify({
    error: tag,
    error_description: description,
    error_uri:
      tag === 'billing_limit_exceeded'
        ? DESCRIPTION_URI.replace('api', 'billing/limits')
        : DESCRIPTION_URI,
  });

export interface Entry {
  result: string;
  details?: string;
}

export function toEntry(verdict: string): Entry {
  const [result = '', details] = verdict.split(':');
  return details ? { result, details } : { result };
}
