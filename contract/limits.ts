/**
 * Sizes and times that the browser and the server both keep to; plain data, safe in the first bytes.
 * Text lengths are UTF-16 code units, as `String.length` and zod count them.
 */
export const MAX_REFERRER = 128;
export const MAX_PAGE_URL = 2048;
export const MAX_USER_AGENT = 1024;

/** Bytes of a POST /api/log-cta body. */
export const MAX_CLICK_BODY_BYTES = 4096;

/** The error's code where a click's id is dated more than a day ahead: the browser makes another id and sends again. */
export const ID_AHEAD = 'id_ahead';

/** Upper bound for the `dropped` count of one POST /api/log-cta. */
export const MAX_DROPPED = 1_000_000;

/** Where clicks go; the stub, the pipeline and the `ping` attribute share it. */
export const LOG_CTA_PATH = '/api/log-cta';

/** The neutral prefix under which our server passes events on to PostHog. */
export const POSTHOG_PROXY_PATH = '/k';

/** Carries an error's stable code where the answer's body is a sentence instead of JSON. */
export const ERROR_CODE_HEADER = 'error-code';

/** The specification's mobile rule (section 9). */
export const MOBILE_USER_AGENT = /iPhone|iPad|iPod|Android/i;
