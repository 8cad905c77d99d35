/** One attempt to hand one click to our server. */
import { apiUrl } from '#contract/api-url.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { retryAfterMs } from './backoff.ts';
import type { Click } from './make-click.ts';

const TIMEOUT_MS = 5000;
/** The server has answered for good: it has the click, or will never take it (and keeps what it refused). */
const FINAL_REFUSALS = new Set([400, 401, 403, 410, 413, 415, 422]);

export type Outcome =
  | { kind: 'logged' }
  | { kind: 'refused' }
  /** Keep it and try again, not before so many milliseconds. */
  | { kind: 'retry'; afterMs: number };

/**
 * @param dropped clicks lost from a full outbox, to be reported with this one
 * @param now milliseconds since 1970
 */
export async function sendClick(
  click: Click,
  dropped: number,
  fetch: typeof globalThis.fetch,
  now: () => number,
): Promise<Outcome> {
  try {
    const response = await fetch(apiUrl(LOG_CTA_PATH), {
      method: 'POST',
      credentials: 'include',
      keepalive: true,
      headers: { 'content-type': 'application/json' },
      body: clickBody(click, dropped, now()),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    // The status says it all, and a body that nobody reads keeps the request open.
    void response.body?.cancel();
    if (response.ok) return { kind: 'logged' };
    if (FINAL_REFUSALS.has(response.status)) return { kind: 'refused' };
    return { kind: 'retry', afterMs: retryAfterMs(response.headers.get('retry-after'), now()) };
  } catch {
    return { kind: 'retry', afterMs: 0 }; // No network, no answer in time, or a blocker.
  }
}

/** The JSON body of a click that leaves now. */
export function clickBody(click: Click, dropped: number, now: number): string {
  return JSON.stringify({
    ...click,
    sent_at: new Date(now).toISOString(),
    ...(dropped > 0 && { dropped }),
  });
}
