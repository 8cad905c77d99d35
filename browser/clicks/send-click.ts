/** One attempt to send one click to our server. */
import { ID_AHEAD, LOG_CTA_PATH } from '#contract/limits.ts';
import { retryAfterMs } from './backoff.ts';
import type { Click } from './make-click.ts';
import { timeOfId } from './uuid-v7.ts';

const TIMEOUT_MS = 5000;
const DAY_MS = 24 * 60 * 60 * 1000;
/**
 * Statuses and codes of our server's answers that say the click itself is bad. `bad_request` (400)
 * is missing on purpose: the server uses it for requests that were damaged on their way.
 */
const BAD_CLICK_CODES: Readonly<Record<number, readonly unknown[]>> = {
  400: ['validation_failed', 'malformed_json'],
  413: ['too_large'],
  415: ['unsupported_media_type'],
};

export type Outcome =
  /** Our server has the click. */
  | { kind: 'logged' }
  /** Our server says that the click itself is bad, and has kept it with the reason. */
  | { kind: 'refused' }
  /** Keep the click and try again, not before so many milliseconds. */
  | { kind: 'retry'; afterMs: number };

export interface SendParts {
  fetch: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Ends the attempt early. */
  abort: AbortController;
}

/**
 * Sends a click and reads the answer. Only our own JSON counts as an answer, because captive
 * portals answer 200, a CDN may answer 200 with a page, and firewalls answer 403 to requests that
 * the server would take.
 *
 * If this browser's clock is ahead, the server rejects the id, and the click is sent once more with
 * an id of the server's day. The outbox keeps it under its own id until then. An attempt on another
 * day gets another id, so that the click counts twice if the answer to the first one was lost.
 *
 * @param dropped clicks lost from a full outbox, to be reported with this one
 */
export async function sendClick(
  click: Click,
  dropped: number,
  { fetch, now, abort }: SendParts,
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
    return { kind: 'retry', afterMs: 0 }; // No network, no answer in time, a redirect or a content blocker.
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
 * Dates a UUID v7 at the start of another day (UTC). Its random bits stay, so that all attempts of
 * that day have one id: the click's at our server, and its event's at PostHog.
 */
function redated(id: string, time: number): string {
  const hex = (time - (time % DAY_MS)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}${id.slice(13)}`;
}

/** The members of an answer that this module reads. The answer may be any JSON. */
interface Answer {
  status?: unknown;
  id?: unknown;
  error?: { code?: unknown } | null;
}

/** Returns an empty answer for anything that is not JSON. */
async function readJson(response: Response): Promise<Answer> {
  if (!response.headers.get('content-type')?.includes('json')) {
    void response.body?.cancel(); // An unread body keeps the request open.
    return {};
  }
  const answer: Answer | null = await response.json().catch(() => null);
  return answer ?? {};
}

/** The JSON body of a click that leaves now. */
export function clickBody(click: Click, dropped: number, now: number): string {
  return JSON.stringify({
    ...click,
    sent_at: new Date(now).toISOString(),
    ...(dropped > 0 && { dropped }),
  });
}
