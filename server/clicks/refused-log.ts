/**
 * Keeps refused bodies with the reason in DATA_DIR/refused-DATE.jsonl, because they may contain a real click or show a fault of
 * ours. When the disk fails, lines are dropped.
 */
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { LogIp } from '#contract/privacy.schema.ts';
import { loggedAddress, wantsPrivacy } from '../http/address.ts';
import type { HttpError } from '../http/http-error.ts';
import { openDailyFile } from './daily-file.ts';
import { redactAddresses, redactBody } from './redact-addresses.ts';

/** A sender within all limits could fill the disk. */
const MAX_BYTES_A_DAY = 10 * 1024 * 1024;
const MAX_BODY_CHARACTERS = 1024;
/** Upper bound for the address and the content type, in characters. */
const MAX_TEXT = 256;

export type RefusedLog = ReturnType<typeof openRefusedLog>;

/** @param onRefused called for each, for the metrics */
export function openRefusedLog(folder: string, log: Pick<Logger, 'warn'>, onRefused: () => void) {
  const file = openDailyFile(folder, 'refused');
  return {
    add({ code, fields }: HttpError, request: FastifyRequest, logIp: LogIp): void {
      onRefused();
      const policy = wantsPrivacy(request.headers) ? 'none' : logIp;
      const body = redactBody(request.bodyText, policy);
      const line = {
        reason: code,
        fields,
        body: body?.slice(0, MAX_BODY_CHARACTERS).toWellFormed() ?? null,
        url: redactAddresses(request.url.slice(0, MAX_TEXT), policy),
        content_type: request.headers['content-type']?.slice(0, MAX_TEXT) ?? null,
        remote_ip: loggedAddress(request.ip, policy),
        received_at: new Date().toISOString(),
      };
      try {
        if (file.size() < MAX_BYTES_A_DAY) file.append(`${JSON.stringify(line)}\n`);
      } catch (err) {
        log.warn({ err }, 'A refused click could not be written');
      }
    },
    close: file.close,
  };
}
