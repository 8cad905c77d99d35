/** Sends the canary's click twice: the first answer proves that it is on the disk, the second that the index knows it. */
import { randomUUIDv7 } from 'node:crypto';
import { CTA_EVENTS } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import type { ClickBody } from '#contract/log-cta.schema.ts';
import {
  CANARY_HEADER,
  CANARY_PROOF_HEADER,
  CERTIFICATE_HEADER,
  isSameProof,
  proveCanary,
  signCanary,
  signCertificate,
} from '../../server/clicks/canary.ts';
import { postOnce } from './post-once.ts';
import { CanaryError } from './stages.ts';

/** Servers without this feature take it for a robot, whose clicks no count includes either. */
const USER_AGENT = 'site-canary/1.0 (robot)';

export interface Sent {
  id: string;
  /** Duration of both requests. */
  ms: number;
  /** When the site's certificate ends, in milliseconds since 1970; null: no TLS. */
  certificateEndsMs: number | null;
}

/**
 * @param site the public address; its path is ignored
 * @throws CanaryError
 */
export async function sendCanary(site: URL, key: string, signal: AbortSignal): Promise<Sent> {
  const began = performance.now();
  const id = randomUUIDv7();
  const timestamp = new Date().toISOString();
  const click: ClickBody = {
    event: CTA_EVENTS[0],
    referrer: null,
    ip: null,
    timestamp,
    page_url: `${site.origin}/`,
    user_agent: USER_AGENT,
    is_mobile: false,
    id,
  };
  const request = {
    url: new URL(LOG_CTA_PATH, site),
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      [CANARY_HEADER]: signCanary(key, { id, timestamp }),
    },
    body: JSON.stringify(click),
    signal,
  };
  // The first answer may be "duplicate" too: a proxy repeats a click when a server ends before it has answered.
  const { headers, certificateEndsMs } = await postOnce(request);
  if (!isProven(headers, key, id, 'logged') && !isProven(headers, key, id, 'duplicate'))
    throw new CanaryError(
      'not on disk',
      'The answer is 200, without the proof of a server that has CANARY_KEY.',
    );
  const second = await postOnce({
    ...request,
    headers: {
      ...request.headers,
      // The server shows it as a metric.
      ...(certificateEndsMs !== null && {
        [CERTIFICATE_HEADER]: signCertificate(key, { id }, certificateEndsMs),
      }),
    },
  });
  if (!isProven(second.headers, key, id, 'duplicate'))
    throw new CanaryError('not in the index', 'The same click was taken again.');
  return { id, ms: Math.round(performance.now() - began), certificateEndsMs };
}

const isProven = (
  headers: NodeJS.Dict<string | string[]>,
  ...[key, id, status]: [key: string, id: string, status: string]
): boolean => isSameProof(headers[CANARY_PROOF_HEADER], proveCanary(key, id, status));
