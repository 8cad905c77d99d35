import type { ClickBody, VisitFacts } from '#contract/click-fields.schema.ts';
import type { CtaEvent } from '#contract/cta.ts';
import { MAX_USER_AGENT, MOBILE_USER_AGENT } from '#contract/limits.ts';

/** The JSON body of a click, with the fields that the browser always sets. */
export type Click = ClickBody & { event: CtaEvent; id: string; visit_id: string };

/** Facts that all clicks of one page load share. */
export interface PageFacts {
  ref: string | null;
  /**
   * Address of the page, with no parameter but `ref`. The advertisers' click ids (gclid, fbclid)
   * are left out, because they identify a person.
   */
  pageUrl: string;
  /** A new UUID for each page load. It is also PostHog's distinct_id. */
  visitId: string;
  userAgent: string;
  /** What is known of the visit. The script visit-inline.ts adds campaign, domain and screen. */
  facts: VisitFacts;
}

/**
 * Makes the record of one press of a call to action.
 *
 * @param seq number of the click in this visit: 1, 2, 3 …
 * @param now milliseconds since 1970
 * @param id a new UUID v7
 */
export const makeClick = (
  event: CtaEvent,
  page: PageFacts,
  seq: number,
  now: number,
  id: string,
): Click => ({
  id,
  visit_id: page.visitId,
  event,
  referrer: page.ref,
  ip: null,
  timestamp: new Date(now).toISOString(),
  page_url: page.pageUrl,
  user_agent: page.userAgent.slice(0, MAX_USER_AGENT),
  is_mobile: MOBILE_USER_AGENT.test(page.userAgent),
  ...page.facts,
  seq,
});
