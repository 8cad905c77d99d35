/**
 * Asks a public-IP service for the visitor's address, once, when the visitor first points at a call
 * to action or focuses it. Clicks are sent without the address if the service does not answer:
 * content blockers often block such services.
 */
const TIMEOUT_MS = 1000;

const IPV4 = /^((25[0-5]|2[0-4]\d|1?\d?\d)(\.(?!$)|$)){4}$/;

export type IpLookup = ReturnType<typeof createIpLookup>;

/**
 * Creates the look-up. It sends nothing before `start` or `answerWithin` is called.
 *
 * @param url the service, which answers `{ "ip": … }`; null: there is no look-up
 * @param hasOptedOut whether the visitor has opted out. If so, nothing is sent
 */
export function createIpLookup(
  url: string | null,
  fetch: typeof globalThis.fetch,
  hasOptedOut: () => boolean,
) {
  /** The address that the service answers; undefined: it has not been asked yet. */
  let answer: Promise<string | null> | undefined;
  let ip: string | null = null;

  /** Sends the request, unless it has been sent before. */
  const start = (): void => {
    if (!url || answer || hasOptedOut()) return;
    answer = ask(url, fetch).then((address) => {
      ip = address;
      return address;
    });
  };
  return {
    start,
    /** Returns the address; null if the service has not answered yet. */
    known: () => ip,
    /** Resolves to the address; to null if none arrives within `graceMs`. */
    answerWithin(graceMs: number): Promise<string | null> {
      start();
      if (!answer) return Promise.resolve(null);
      const grace = new Promise<null>((resolve) => setTimeout(resolve, graceMs, null));
      return Promise.race([answer, grace]);
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
    // A content blocker, a slow answer, or one that is no JSON. The server also records the address
    // that the request comes from, as `remote_ip`.
    return null;
  }
}

/**
 * Returns an IP address in its usual spelling, and null for any other value: the server would
 * reject a click with an invalid address.
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
