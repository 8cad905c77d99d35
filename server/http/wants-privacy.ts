/** Whether a request has Global Privacy Control or Do Not Track. Then no address is logged, and PostHog gets nothing. */
import type { IncomingHttpHeaders } from 'node:http';

export function wantsPrivacy(headers: IncomingHttpHeaders): boolean {
  return headers['sec-gpc'] === '1' || headers.dnt === '1';
}
