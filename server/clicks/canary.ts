/**
 * The canary: a click that `npm run canary` sends the way of visitors' clicks, to prove that the way works. Its line has the marks
 * `canary` and `is_bot`, so no count includes it. Both sides sign with CANARY_KEY.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { HttpError } from '../http/http-error.ts';
import type { ClickLine } from './click-line.ts';

/** Request header with the signature. Without it a click is a visitor's, whatever its body says. */
export const CANARY_HEADER = 'site-canary';
/** Answer header that proves that a server with the same key has the click on its disk. */
export const CANARY_PROOF_HEADER = 'site-canary-proof';
/** Request header: when the certificate ends that the canary saw, in milliseconds since 1970, and the signature of that. */
export const CERTIFICATE_HEADER = 'site-canary-certificate';

/** Tolerance for the clock of the machine that sends the canary. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

type Signed = Pick<ClickLine, 'id' | 'timestamp'>;

/** Makes the request's signature, in hexadecimal digits. */
export const signCanary = (key: string, { id, timestamp }: Signed): string =>
  hmac(key, `canary ${id} ${timestamp}`);

/** Makes the answer's proof. A different text, so that a proxy cannot send the signature back. */
export const proveCanary = (key: string, id: string, status: string): string =>
  hmac(key, `${status} ${id}`);

/** Compares two of these texts in constant time. */
export function isSameProof(given: unknown, expected: string): boolean {
  const [a, b] = [Buffer.from(String(given)), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * Returns the line of a canary with its marks.
 *
 * @param key CANARY_KEY; null: this server takes no canary
 * @param signature value of the request's header
 * @throws HttpError 403, so that a forged mark hides no click: the browser keeps it
 */
export function markCanary(line: ClickLine, key: string | null, signature: unknown, nowMs: number) {
  if (key === null) throw refusal('This server has no CANARY_KEY.');
  if (!isSameProof(signature, signCanary(key, line)))
    throw refusal('The signature does not fit this server’s CANARY_KEY.');
  const aheadMs = Date.parse(line.timestamp) - nowMs;
  if (Math.abs(aheadMs) > CLOCK_TOLERANCE_MS)
    throw refusal(`The canary’s clock and the server’s differ by ${Math.round(aheadMs / 1000)} s.`);
  return { ...line, is_bot: true, canary: true as const };
}

/** Makes the value of CERTIFICATE_HEADER. A header of its own, because older servers know only the other signature. */
export const signCertificate = (key: string, { id }: Pick<Signed, 'id'>, endsMs: number): string =>
  `${endsMs} ${hmac(key, `certificate ${id} ${endsMs}`)}`;

/** Returns the time in a header that `signCertificate` has made for this click. Null for any other header, or none. */
export function readCertificate(
  key: string,
  signed: Pick<Signed, 'id'>,
  header: unknown,
): number | null {
  const endsMs = Number.parseInt(String(header), 10);
  return isSameProof(header, signCertificate(key, signed, endsMs)) ? endsMs : null;
}

const refusal = (message: string) => new HttpError(403, 'canary_refused', message);

const hmac = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest('hex');
