import { z } from 'zod';
import { CONVERTED, COPIED, SPECIFIED, utcTimestamp } from '#contract/click-fields.schema.ts';

/** pino's own fields. */
const pinoFields = {
  /** 20 debug, 30 info, 40 warning, 50 error, 60 fatal. */
  level: z.int(),
  /** Milliseconds since 1970. */
  time: z.int().positive(),
  pid: z.int().positive(),
  hostname: z.string(),
};

/** The click's line in DATA_DIR/clicks-DATE.jsonl. A field that a click does not have is null, or missing if it is optional. */
export const clickLineSchema = z.strictObject({
  ...pinoFields,
  ...CONVERTED,
  ...SPECIFIED,
  ...COPIED,
  id: z.uuid(),
  visit_id: z.uuid().nullable(),
  sent_at: utcTimestamp.nullable(),
  /** The address that the server saw. Both are as `logIp` allows them. */
  remote_ip: SPECIFIED.ip,
  received_at: utcTimestamp,
  via: z.enum(['fetch', 'beacon', 'ping']),
  is_bot: z.boolean(),
  /** The server's clock minus the browser's at the sending. */
  skew_ms: z.int().nullable(),
  req_id: z.string().min(1).max(36),
  /** Global Privacy Control or Do Not Track: no address, and never sent to PostHog. */
  private: z.literal(true).optional(),
  /** The table had the click before. */
  duplicate: z.literal(true).optional(),
});
