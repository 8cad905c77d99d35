/**
 * Facts about a visit that page and server share. Plain data, so that inline scripts can import it.
 */

/** The query parameters of a campaign's link. */
export const CAMPAIGN_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
] as const;

/** The utm values of a link, by their parameters. */
export type UtmValues = { [name in (typeof CAMPAIGN_PARAMETERS)[number]]?: string | undefined };

/** Classes of screens by their width in CSS pixels: below 600, below 1024, and wider. */
export const SCREEN_CLASSES = ['small', 'medium', 'large'] as const;

/**
 * The host of `document.referrer`, perhaps an IPv6 address, and perhaps with a port. An empty text:
 * there is no referrer.
 */
export const REFERRER_HOST = /^(([\w.-]{1,253}|\[[\da-f:.]{2,45}\])(:\d{1,5})?)?$/;

const SOURCE_PARAMETER = /^(ref|utm_(source|medium|campaign|content|term))$/;

/**
 * Returns the parameters of a link that name the source of a visit: `ref` and the utm values,
 * unchanged. The server folds utm values (campaign.ts).
 *
 * @param query from `readQuery`
 */
export const sourceParameters = (query: URLSearchParams): [name: string, value: string][] =>
  [...query].filter(([name, value]) => SOURCE_PARAMETER.test(name) && value);

type FirstValues = UtmValues & { ref?: string };

/**
 * Upper bound for a utm value that is sent: one character more than the server keeps. So the server
 * sees that a longer value was too long.
 */
const MAX_SENT_CHARACTERS = 65;

/**
 * Converts parameters to an object. The first of repeated parameters counts. Long values are cut.
 */
export const firstValues = (parameters: [name: string, value: string][]): FirstValues =>
  Object.fromEntries(
    parameters.map(([name, value]) => [name, value.slice(0, MAX_SENT_CHARACTERS)]).reverse(),
  );
