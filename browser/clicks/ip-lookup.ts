/**
 * Asks the public-IP service once, on the first sign that the visitor may use a call to action. No
 * click depends on it. Often the address is null, because content blockers block such services.
 */
const TIMEOUT_MS = 1000;

const IPV4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/;

export type IpLookup = ReturnType<typeof createIpLookup>;

/**
 * @param url answers `{ "ip": … }`; null: no look-up
 * @param hasOptedOut whether the visitor has opted out
 */
export function createIpLookup(
  url: string | null,
  fetch: typeof globalThis.fetch,
  hasOptedOut: () => boolean,
) {
  let asked: Promise<string | null> | undefined;
  let ip: string | null = null;

  /** Sends the request, unless it has been sent before. */
  const start = (): void => {
    if (!url || asked || hasOptedOut()) return;
    asked = ask(url, fetch).then((answer) => {
      ip = answer;
      return answer;
    });
  };
  return {
    start,
    /** The address, if it is known by now. */
    known: () => ip,
    /** The address, or null after so many milliseconds, or when there is none. */
    answerWithin(graceMs: number): Promise<string | null> {
      start();
      if (!asked) return Promise.resolve(null);
      const grace = new Promise<null>((resolve) => setTimeout(resolve, graceMs, null));
      return Promise.race([asked, grace]);
    },
  };
}

async function ask(url: string, fetch: typeof globalThis.fetch): Promise<string | null> {
  // AbortSignal.timeout is missing in Safari before 16 and Chrome before 103.
  const abort = new AbortController();
  setTimeout(() => abort.abort(), TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      cache: 'no-store',
      signal: abort.signal,
    });
    return validIp((await response.json()).ip);
  } catch {
    return null; // Blocked, too slow or invalid. The server records the address that it sees in `remote_ip`.
  }
}

/**
 * Returns the address in its usual spelling; null for anything else, so that the server never
 * rejects a click for it.
 */
export function validIp(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 45) return null;
  if (IPV4.test(value)) return value;
  if (!/^[\da-f:.]+$/i.test(value)) return null;
  try {
    return new URL(`http://[${value}]/`).hostname.slice(1, -1);
  } catch {
    return null;
  }
}
