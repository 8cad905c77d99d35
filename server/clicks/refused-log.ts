/**
 * Keeps refused bodies with the reason in DATA_DIR/refused-DATE.jsonl, because they may contain a real click or show a fault of
 * ours. When the disk fails, lines are dropped.
 */
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { LogIp } from '#contract/built-site.schema.ts';
import { loggedAddress, wantsPrivacy } from '../http/address.ts';
import type { HttpError } from '../http/http-error.ts';
import { openDailyFile } from './daily-file.ts';

/** A sender within all limits could fill the disk. */
const MAX_BYTES_A_DAY = 10 * 1024 * 1024;
const MAX_BODY_CHARACTERS = 1024;
/** Upper bound for the address and the content type, in characters. */
const MAX_TEXT = 256;

export type RefusedLog = ReturnType<typeof openRefusedLog>;

export function openRefusedLog(folder: string, log: Pick<Logger, 'warn'>) {
  const file = openDailyFile(folder, 'refused');
  /** Said once, because each request of a stranger would cause a line. */
  let isFailing = false;
  return {
    add({ code, fields }: HttpError, request: FastifyRequest, logIp: LogIp): void {
      const policy = wantsPrivacy(request.headers) ? 'none' : logIp;
      const line = {
        reason: code,
        fields,
        body:
          redact(request.bodyText ?? '', policy)
            .slice(0, MAX_BODY_CHARACTERS)
            .toWellFormed() || null,
        url: redact(request.url.slice(0, MAX_TEXT), policy),
        content_type: request.headers['content-type']?.slice(0, MAX_TEXT) ?? null,
        remote_ip: loggedAddress(request.ip, policy),
        received_at: new Date().toISOString(),
      };
      try {
        if (file.size() < MAX_BYTES_A_DAY) file.append(`${JSON.stringify(line)}\n`);
        isFailing = false;
      } catch (err) {
        if (!isFailing) log.warn({ err }, 'A refused click could not be written');
        isFailing = true;
      }
    },
    close: file.close,
  };
}

/** In place of an address. A refused body may contain the visitor's, in its field `ip` or elsewhere. In doubt, too much is removed. */
const REMOVED = '[address]';

const DOT = String.raw`(?:\.|%2e|\\u002e)`;
const COLON = String.raw`(?::|%3a|\\u003a)`;
/** Four numbers with dots between them. Also matches browser versions of that form. */
const IPV4 = String.raw`\d{1,3}(?:${DOT}\d{1,3}){3}`;
/** A group of an IPv6 address. Bounded, because an unbounded run before a missing colon would be tried from each of its characters. */
const DIGITS = String.raw`[\da-f]{0,4}`;
/** Hexadecimal digits with two or more colons. May end with an IPv4 address. */
const IPV6 = String.raw`${DIGITS}${COLON}${DIGITS}${COLON}(?:[\da-f]|${COLON}|${DOT}\d)*`;
/** Exported for the check that it takes linear time. */
export const ADDRESSES = new RegExp(`${IPV6}|${IPV4}`, 'gi');
const CLOCK_TIME = /^\d{2}:\d{2}:\d{2}(?:\.\d{3})?$/;

function redactAddresses(text: string): string {
  return text.replace(ADDRESSES, (found) => (CLOCK_TIME.test(found) ? found : REMOVED));
}

/** Parses JSON first, so that no escape hides an address. Any value of its field `ip` is removed. */
function redact(text: string, policy: LogIp): string {
  if (policy === 'full') return text;
  try {
    return JSON.stringify(JSON.parse(text), (key, value) => {
      if (key === 'ip' && typeof value !== 'object') return REMOVED;
      return typeof value === 'string' ? redactAddresses(value) : value;
    });
  } catch {
    return redactAddresses(text);
  }
}
