/** Sends one JSON request. Time and size of the answer are bounded. */

/** Upper bound for an answer. 500 verdicts have about 60 KB. */
const MAX_ANSWER_BYTES = 1024 * 1024;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface Answered {
  status: number;
  headers: Headers;
  /** null: too large. */
  text: string | null;
}

/** No complete answer came. */
interface Unanswered {
  status: null;
  /** `unreachable` also means a connection that was cut. */
  reason: 'timeout' | 'unreachable';
}

export type Reply = Answered | Unanswered;

/**
 * Follows no redirect, because events go to the configured host alone.
 *
 * @param timeoutMs upper bound for headers and body together
 */
export async function postJson(
  fetch: Fetch,
  url: string,
  {
    headers,
    body,
    timeoutMs,
  }: { headers: Record<string, string>; body: object; timeoutMs: number },
): Promise<Reply> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: answer.status, headers: answer.headers, text: await readText(answer) };
  } catch (error) {
    const isTimeout = (error as Error).name === 'TimeoutError';
    return { status: null, reason: isTimeout ? 'timeout' : 'unreachable' };
  }
}

async function readText({ body }: Response): Promise<string | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    // Leaving the loop cancels the rest.
    if (size > MAX_ANSWER_BYTES) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString();
}

/** @returns undefined if the text is not JSON */
export function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}
