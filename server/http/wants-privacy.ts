/** Global Privacy Control or Do Not Track: no address is written, nothing goes to PostHog. */
import type { IncomingHttpHeaders } from 'node:http';

export function wantsPrivacy(headers: IncomingHttpHeaders): boolean {
  return headers['sec-gpc'] === '1' || headers.dnt === '1';
}
