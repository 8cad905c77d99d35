/** Judges the headers of a V1 request. */
import type { IncomingHttpHeaders } from 'node:http';
import { Refusal } from './refusal.ts';

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
  /** Milliseconds since 1970, by the sender's clock. */
  sentAt: number;
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
  const sentAt = Date.parse(get('PostHog-Request-Timestamp'));
  return { token, sentAt, sdk: get('PostHog-Sdk-Info') };
}

function readToken(authorization: string | undefined): string {
  if (authorization === undefined) throw new Refusal(401, 'missing_authorization');
  const [, token] = /^bearer(?:\s+(.*))?$/i.exec(authorization.trim()) ?? [];
  if (!/^bearer(\s|$)/i.test(authorization.trim())) throw new Refusal(400, 'invalid_header_value');
  if (tokenFault(token ?? '')) throw new Refusal(401, 'invalid_api_token');
  return (token ?? '').trim();
}

/** The fault of a project's key, in PostHog's words; null: none. */
export function tokenFault(token: string): string | null {
  const trimmed = token.trim();
  if (trimmed === '') return 'empty';
  if (trimmed.length > 64) return 'too_long';
  if (trimmed.includes('\0')) return 'null_byte';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (!/^[\x00-\x7f]+$/.test(trimmed)) return 'not_ascii';
  return trimmed.startsWith('phx_') ? 'personal_api_key' : null;
}
