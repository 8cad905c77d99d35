/**
 * Facts about a visit that the page and the server share. Plain data, so that the inline scripts
 * can import it.
 */

/** Query parameters of a campaign's link. */
export const CAMPAIGN_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
] as const;

/** A link's utm values by their parameters. */
export type UtmValues = { [name in (typeof CAMPAIGN_PARAMETERS)[number]]?: string | undefined };

/** By the width of the screen in CSS pixels: below 600, below 1024, and wider. */
export const SCREEN_CLASSES = ['small', 'medium', 'large'] as const;

/** Form of a host, perhaps with a port, as `document.referrer` has it; empty: no referrer. */
export const REFERRER_HOST = /^([\w.-]{1,253}(:\d{1,5})?)?$/;

const SOURCE_PARAMETER = /^(ref|utm_(source|medium|campaign|content|term))$/;

/**
 * Returns the `ref` and the utm values of a link, as they are: the server folds the latter
 * (campaign.ts).
 *
 * @param query as `readQuery` returns it
 */
export const sourceParameters = (query: URLSearchParams): [name: string, value: string][] =>
  [...query].filter(([name, value]) => SOURCE_PARAMETER.test(name) && value);

type FirstValues = UtmValues & { ref?: string };

/** A longer value is not kept, which the server sees by one more character. */
const MAX_SENT_CHARACTERS = 65;

/** Makes an object of parameters. The first of repeated ones counts. Long values are cut. */
export const firstValues = (parameters: [name: string, value: string][]): FirstValues =>
  Object.fromEntries(
    parameters.map(([name, value]) => [name, value.slice(0, MAX_SENT_CHARACTERS)]).reverse(),
  );
