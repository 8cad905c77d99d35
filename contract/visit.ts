/** Facts about a visit that the page, the server and the ledger share. Plain data, so that the inline scripts can import it. */

/** Query parameters of a campaign's link. No other parameter of the address is recorded, except `ref`. */
export const CAMPAIGN_PARAMETERS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
] as const;
export type CampaignParameter = (typeof CAMPAIGN_PARAMETERS)[number];

/** The form of a campaign's value. Any other value is left out, because it may be a person's name or address. */
export const CAMPAIGN_VALUE = /^[\w.~-]{1,64}$/;

export type Campaign = { [name in CampaignParameter]?: string | undefined };

/** By the width of the screen in CSS pixels: below 600, below 1024, and wider. */
export const SCREEN_CLASSES = ['small', 'medium', 'large'] as const;
export type ScreenClass = (typeof SCREEN_CLASSES)[number];

/** Kinds of sites from which a visitor comes. `direct`: no referrer, or a page of this site. */
export const REFERRING_CLASSES = ['search', 'social', 'partner', 'direct', 'other'] as const;
export type ReferringClass = (typeof REFERRING_CLASSES)[number];
