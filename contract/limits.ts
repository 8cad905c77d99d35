/**
 * Upper bounds and paths that browser and server share. Plain data, so that inline scripts can
 * import them. Lengths of texts are in UTF-16 code units, as `String.length` and zod count them.
 */
export const MAX_REFERRER = 128;
export const MAX_INVITATION_CODE = 64;
export const MAX_PAGE_URL = 2048;
export const MAX_USER_AGENT = 1024;

/**
 * Error code for a click whose id is dated more than a day ahead. The browser then makes another
 * id, and sends the click again.
 */
export const ID_AHEAD = 'id_ahead';

/** Upper bound for `dropped` in one click. */
export const MAX_DROPPED = 1_000_000;

/** Upper bound for the number of a click in its visit. */
export const MAX_SEQ = 65_535;

/**
 * Days after which the server deletes its log files, unless clicks are deleted earlier
 * (log-days.ts).
 */
export const LOG_DAYS = 30;

/** Path to which the stub, the delivery and the `ping` attribute send clicks. */
export const LOG_CTA_PATH = '/api/log-cta';

/**
 * Path to which pages send their views. Its name is neutral, because content blockers know the
 * usual names.
 */
export const VIEW_PATH = '/k/visit';

/** Path of the partner's page for creating an account, and of its stand-in on this server. */
export const CREATE_ACCOUNT_PATH = '/create-account';

/**
 * Path prefix to which posthog-js sends events. The server stores them, and sends them to PostHog
 * later. Its name is neutral, because content blockers know the usual names.
 */
export const POSTHOG_PATH = '/k';

/** Header with an error's code, for answers whose body is a sentence instead of JSON. */
export const ERROR_CODE_HEADER = 'error-code';

/** Matches the user agent of a mobile device, as section 9 of the specification defines it. */
export const MOBILE_USER_AGENT = /iPhone|iPad|iPod|Android/i;

/** How often the hero fetches the counts, in milliseconds (specification, section 9). */
export const STATS_POLL_MS = 30_000;
