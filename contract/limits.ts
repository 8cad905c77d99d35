/**
 * Sizes and paths that the browser and the server share. Plain data, so that the inline scripts can
 * import it. Text lengths are UTF-16 code units, as `String.length` and zod count them.
 */
export const MAX_REFERRER = 128;
export const MAX_INVITATION_CODE = 64;
export const MAX_PAGE_URL = 2048;
export const MAX_USER_AGENT = 1024;

/**
 * Error code for a click id dated more than a day ahead. The browser makes another id and sends the
 * click again.
 */
export const ID_AHEAD = 'id_ahead';

/** Upper bound for the `dropped` count of one POST /api/log-cta. */
export const MAX_DROPPED = 1_000_000;

/** Upper bound for the number of a click in its visit. */
export const MAX_SEQ = 65_535;

/** Days that the server keeps its log files. A shorter retention of clicks is also theirs. */
export const LOG_DAYS = 30;

/** Path for clicks, for the stub, the pipeline and the `ping` attribute. */
export const LOG_CTA_PATH = '/api/log-cta';

/** Path for page views. Neutral, because content blockers know the usual ones. */
export const VIEW_PATH = '/k/visit';

/** Path of the partner's create-account page, and of its stand-in on our server. */
export const CREATE_ACCOUNT_PATH = '/create-account';

/** Neutral prefix of the proxy for PostHog events. */
export const POSTHOG_PROXY_PATH = '/k';

/** Header with an error's stable code, for answers whose body is a sentence instead of JSON. */
export const ERROR_CODE_HEADER = 'error-code';

/** The specification's mobile rule (section 9). */
export const MOBILE_USER_AGENT = /iPhone|iPad|iPod|Android/i;

/** How often the hero asks for the counts (specification, section 9). Milliseconds. */
export const STATS_POLL_MS = 30_000;
