/** Makes one attempt to send one click to the server. */
import { ID_AHEAD, LOG_CTA_PATH } from '#contract/limits.ts';
import { retryAfterMs } from './backoff.ts';
import type { Click } from './make-click.ts';
import { timeOfId } from './uuid-v7.ts';

const TIMEOUT_MS = 5000;
const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * The server's error codes, by HTTP status, which mean that a click would be rejected again.
 * `bad_request` (400) is missing on purpose: the server answers it to a request that was damaged on
 * its way, and the next attempt may succeed.
 */
const BAD_CLICK_CODES: Readonly<Record<number, readonly unknown[]>> = {
  400: ['validation_failed', 'malformed_json'],
  413: ['too_large'],
  415: ['unsupported_media_type'],
};

export type Outcome =
  /** The server has stored the click. */
  | { kind: 'logged' }
  /** The server rejects the click for good, and has noted the reason in its log. */
  | { kind: 'refused' }
  /** The click is not stored. `afterMs`: shortest wait before the next attempt. */
  | { kind: 'retry'; afterMs: number };

export interface SendDependencies {
  fetch: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Aborted by this module after TIMEOUT_MS, and by the caller if the visitor opts out. */
  abort: AbortController;
}

/**
 * Sends a click and reads the response. Only the site's own JSON counts: captive portals and CDNs
 * also answer 200, and firewalls answer 403 to requests that the server would accept. Never throws.
 *
 * If this browser's clock is ahead, the server rejects the click's id. The click is then sent once
 * more, with the same id dated to the server's day. The outbox keeps the click under its first id
 * until the server confirms it. If that confirmation is lost, and the next attempt is on another
 * day, the click counts twice.
 *
 * @param dropped number of clicks that were lost from a full outbox; it is reported with this click
 */
export async function sendClick(
  click: Click,
  dropped: number,
  { fetch, now, abort }: SendDependencies,
): Promise<Outcome> {
  // AbortSignal.timeout is missing in Safari before 16 and Chrome before 103.
  setTimeout(() => abort.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(LOG_CTA_PATH, {
      method: 'POST',
      credentials: 'include',
      keepalive: true,
      redirect: 'error',
      headers: { 'content-type': 'application/json' },
      body: clickBody(click, dropped, now()),
      signal: abort.signal,
    });
    const answer = await readJson(response);
    const serverTime = Date.parse(response.headers.get('date') ?? '');
    if (answer.error?.code === ID_AHEAD && serverTime < timeOfId(click.id)) {
      const id = redated(click.id, serverTime);
      return await sendClick({ ...click, id }, dropped, { fetch, now, abort });
    }
    return outcomeOf(response, answer, click.id, now());
  } catch {
    // There is no network, the answer is late, or a redirect or content blocker is in the way.
    return { kind: 'retry', afterMs: 0 };
  }
}

function outcomeOf(response: Response, answer: Answer, id: string, now: number): Outcome {
  const { status, headers } = response;
  const isConfirmed = answer.status === 'logged' || answer.status === 'duplicate';
  if (status === 200 && isConfirmed && answer.id === id) return { kind: 'logged' };
  if (BAD_CLICK_CODES[status]?.includes(answer.error?.code)) return { kind: 'refused' };
  return { kind: 'retry', afterMs: retryAfterMs(headers.get('retry-after'), now) };
}

/**
 * Returns a UUID v7 with the time replaced by the start of a day (UTC). Its random bits stay, so
 * that all attempts of a day send the same id, and the server counts them once.
 *
 * @param time a moment of that day, in milliseconds since 1970
 */
function redated(id: string, time: number): string {
  const hex = (time - (time % DAY_MS)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${id.slice(13)}`;
}

/** The members that are read from a response's JSON. Their types are unknown until checked. */
interface Answer {
  status?: unknown;
  id?: unknown;
  error?: { code?: unknown } | null;
}

/** Parses the JSON of a response. A response that is not JSON gives an empty object. */
async function readJson(response: Response): Promise<Answer> {
  if (!response.headers.get('content-type')?.includes('json')) {
    // A body that is not read would keep the connection open.
    void response.body?.cancel();
    return {};
  }
  const answer: Answer | null = await response.json().catch(() => null);
  return answer ?? {};
}

/** Returns the JSON body of a request with one click, with the time of sending in `sent_at`. */
export function clickBody(click: Click, dropped: number, now: number): string {
  return JSON.stringify({
    ...click,
    sent_at: new Date(now).toISOString(),
    ...(dropped > 0 && { dropped }),
  });
}
