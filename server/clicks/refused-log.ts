/**
 * Keeps refused bodies with the reason in DATA_DIR/refused-DATE.jsonl, because they may contain a real click or show a fault of
 * ours. When the disk fails, lines are dropped.
 */
import type { Logger } from 'pino';
import type { HttpError } from '../http/http-error.ts';
import { openDailyFile } from './daily-file.ts';

/** A sender within all limits could fill the disk. */
const MAX_BYTES_A_DAY = 10 * 1024 * 1024;
const MAX_BODY_CHARACTERS = 1024;

export interface Refused extends Pick<HttpError, 'fields'> {
  /** The error's code: validation_failed, malformed_json, … */
  reason: string;
  /** Redacted by `logIp`; null: it was not read. */
  body: string | null;
  url: string;
  content_type: string | null;
  remote_ip: string | null;
  received_at: string;
}

export interface RefusedLog {
  add(refused: Refused): void;
  close(): void;
}

/**
 * @param folder DATA_DIR
 * @param onRefused called for each, for the metrics
 */
export function openRefusedLog(
  folder: string,
  log: Pick<Logger, 'warn'>,
  onRefused?: () => void,
): RefusedLog {
  const file = openDailyFile(folder, 'refused');
  return {
    add(refused) {
      onRefused?.();
      const body = refused.body?.slice(0, MAX_BODY_CHARACTERS).toWellFormed() ?? null;
      try {
        if (file.size() < MAX_BYTES_A_DAY) file.append(`${JSON.stringify({ ...refused, body })}\n`);
      } catch (err) {
        log.warn({ err }, 'A refused click could not be written');
      }
    },
    close: file.close,
  };
}
