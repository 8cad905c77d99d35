/** Judges the headers of a V1 request. */
import type { IncomingHttpHeaders } from 'node:http';

/** PostHog refuses the whole request. */
export class Refusal extends Error {
  readonly status: number;
  readonly tag: string;

  constructor(status: number, tag: string, description: string = tag) {
    super(description);
    this.status = status;
    this.tag = tag;
  }
}

const REQUIRED = [
  ...['Content-Type', 'User-Agent', 'PostHog-Sdk-Info'],
  ...['PostHog-Attempt', 'PostHog-Request-Id', 'PostHog-Request-Timestamp'],
];
const UUID = /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i;
const RFC_3339 = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

export const isUuid = (text: string): boolean => UUID.test(text);
export const isTime = (text: string): boolean =>
  RFC_3339.test(text) && !Number.isNaN(Date.parse(text));

export interface Head {
  token: string;
  /** PostHog-Sdk-Info. */
  sdk: string;
}

/** @throws Refusal 400, 401 or 415 */
export function checkHeaders(headers: IncomingHttpHeaders): Head {
  const token = readToken(headers.authorization);
  const get = (name: string) => String(headers[name.toLowerCase()] ?? '').trim();
  const absent = REQUIRED.filter((name) => headers[name.toLowerCase()] === undefined);
  if (absent.length > 0) {
    throw new Refusal(400, 'missing_required_headers', `missing: ${absent.join(', ')}`);
  }
  if (get('Content-Type').split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new Refusal(415, 'unsupported_content_type');
  }
  const isValid = (name: string, test: (value: string) => boolean) => {
    if (!test(get(name))) throw new Refusal(400, 'invalid_header_value', name);
  };
  isValid('PostHog-Attempt', (value) => /^\d+$/.test(value) && Number(value) >= 1);
  isValid('PostHog-Request-Id', isUuid);
  isValid('PostHog-Request-Timestamp', isTime);
  const encoding = get('Content-Encoding').toLowerCase() || 'identity';
  // PostHog unpacks four encodings. Our sender uses none of them.
  if (encoding !== 'identity') throw new Refusal(415, 'unsupported_encoding');
  return { token, sdk: get('PostHog-Sdk-Info') };
}

function readToken(authorization: string | undefined): string {
  if (authorization === undefined) throw new Refusal(401, 'missing_authorization');
  const [, token] = /^bearer(?:\s+(.*))?$/i.exec(authorization.trim()) ?? [];
  if (!token || token.startsWith('phx_')) throw new Refusal(401, 'invalid_api_token');
  return token.trim();
}
