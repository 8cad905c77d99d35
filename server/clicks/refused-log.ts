/**
 * Logs why a click was refused, in DATA_DIR/refused-DATE.jsonl. A refused click may have been a
 * real one, or show a fault of ours. The client's own texts may contain an address, so they are
 * logged only if `logIp` is `full`. If the disk fails, lines are dropped.
 */
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { LogIp } from '#contract/built-site.schema.ts';
import { escapeJson } from '../html/safe-text.ts';
import { loggedAddress, wantsPrivacy } from '../http/address.ts';
import type { HttpError } from '../http/http-error.ts';
import { openDailyFile } from './daily-file.ts';

/**
 * Upper bound for a day's file. Otherwise a stranger within all rate limits could fill the disk.
 */
const MAX_BYTES_A_DAY = 10 * 1024 * 1024;
const MAX_BODY_CHARACTERS = 1024;
/** Upper bound for the URL and the content type, in characters. */
const MAX_TEXT = 256;

export type RefusedLog = ReturnType<typeof openRefusedLog>;

/** Opens the log of refused clicks. @param folder DATA_DIR */
export function openRefusedLog(folder: string, log: Pick<Logger, 'warn'>) {
  const file = openDailyFile(folder, 'refused');
  /**
   * Whether the last write failed. The server's log reports only the first failure, because a
   * stranger could cause one with each request.
   */
  let isFailing = false;
  return {
    add({ code, fields }: HttpError, request: FastifyRequest, logIp: LogIp): void {
      const policy = wantsPrivacy(request.headers) ? 'none' : logIp;
      const line = {
        reason: code,
        fields,
        ...(policy === 'full' && readClientTexts(request)),
        remote_ip: loggedAddress(request.ip, policy),
        received_at: new Date().toISOString(),
      };
      try {
        if (file.size() < MAX_BYTES_A_DAY) file.append(`${escapeJson(JSON.stringify(line))}\n`);
        isFailing = false;
      } catch (err) {
        if (!isFailing) log.warn({ err }, 'A refused click could not be written');
        isFailing = true;
      }
    },
    close: file.close,
  };
}

/** Returns the client's own texts, each cut to its upper bound. */
function readClientTexts({ bodyText, url, headers }: FastifyRequest) {
  return {
    body: bodyText?.slice(0, MAX_BODY_CHARACTERS).toWellFormed() || null,
    url: url.slice(0, MAX_TEXT),
    content_type: headers['content-type']?.slice(0, MAX_TEXT) ?? null,
  };
}
