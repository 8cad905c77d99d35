/** Explains a reply that is not a success. */
import type { Trouble } from './capture.ts';
import type { Reply } from './post-json.ts';

/**
 * @param url of the request
 * @param tag PostHog's name of the error; null: the answer has none
 */
export function describeFailure(url: string, reply: Reply, tag: string | null): Trouble {
  if (reply.status === null) return noAnswer(url, reply.reason);
  const { status } = reply;
  const detail = tag ?? `http_${status}`;
  const answer = `${url} answered ${status}${tag ? ` (${tag})` : ''}`;
  if (status === 402 || (status === 429 && tag === 'billing_limit_exceeded')) {
    return {
      kind: 'over_quota',
      detail: tag ?? 'billing_limit_exceeded',
      message: `${answer}: the project is over its quota.`,
    };
  }
  if (status === 408 || status === 429 || status >= 500) {
    return { kind: 'away', detail, message: `${answer}: PostHog cannot take events just now.` };
  }
  if (status < 300) return unreadable(url);
  return { kind: 'refused', detail, message: `${answer}: ${adviceFor(status)}` };
}

export const unreadable = (url: string): Trouble => ({
  kind: 'unreadable',
  detail: 'unreadable_answer',
  message: `${url} gave an answer that is not PostHog's. Is POSTHOG_HOST the ingestion host?`,
});

function noAnswer(url: string, reason: 'timeout' | 'unreachable'): Trouble {
  const message =
    reason === 'timeout' ? `${url} did not answer in time.` : `${url} cannot be reached.`;
  return { kind: 'away', detail: reason, message };
}

function adviceFor(status: number): string {
  if (status < 400) return 'a redirect, which is not followed. Set POSTHOG_HOST to its target.';
  if (status === 401) return 'check the project key (VITE_POSTHOG_KEY, or --key).';
  if (status === 404) return 'is POSTHOG_HOST the ingestion host?';
  return 'PostHog does not take these events.';
}
