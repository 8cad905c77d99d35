/** Facts about a visit that the page and the server share. Plain data, so that the inline scripts can import it. */

/** Query parameters of a campaign's link. */
export const CAMPAIGN_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
] as const;

/** The form of a campaign's value. Any other value is left out, because it may be a person's name or address. */
export const CAMPAIGN_VALUE = /^[\w.~-]{1,64}$/;

/** A link's utm values by their parameters. */
export type UtmValues = { [name in (typeof CAMPAIGN_PARAMETERS)[number]]?: string | undefined };

/** By the width of the screen in CSS pixels: below 600, below 1024, and wider. */
export const SCREEN_CLASSES = ['small', 'medium', 'large'] as const;

/** Form of a host, perhaps with a port, as `document.referrer` has it; empty: no referrer. */
export const REFERRER_HOST = /^([\w.-]{1,253}(:\d{1,5})?)?$/;

/** Short, because it is part of the page's inline bytes. The server leaves out other names. */
const UTM_PAIR = /^utm_\w+=[\w.~-]{1,64}$/;

/**
 * Returns the utm values of a link. The last of repeated parameters counts.
 *
 * @param query parameters of the landing URL
 */
export const readCampaign = (query: string | URLSearchParams): UtmValues =>
  Object.fromEntries(
    [...new URLSearchParams(query)].filter((pair) => UTM_PAIR.test(pair.join('='))),
  );

/**
 * Every parameter of a page's address, except `ref`. Replace it by `$1`. So no click identifier of an advertiser (gclid,
 * fbclid) and no other stranger's value is recorded. The campaign's values have a field of their own.
 */
export const OTHER_PARAMETERS = /(?:(\?)|&)(?!ref=)[^&#]*/g;
