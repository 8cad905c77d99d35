/**
 * Error answers of POST /api/log-cta that say the click itself is bad: status and codes. Sending such a click again is
 * pointless. Plain data, for the browser.
 *
 * `bad_request` (400) is missing on purpose: the server uses it for requests that were damaged on their way.
 */
const BAD_CLICK_CODES: Readonly<Record<number, readonly string[]>> = {
  400: ['validation_failed', 'malformed_json'],
  413: ['too_large'],
  415: ['unsupported_media_type'],
};

export const isBadClickError = (status: number, code: unknown): boolean =>
  BAD_CLICK_CODES[status]?.includes(String(code)) ?? false;
