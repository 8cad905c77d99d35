import type { ClickBody, VisitFacts } from '#contract/click-fields.schema.ts';
import type { CtaEvent } from '#contract/cta.ts';
import { MAX_USER_AGENT, MOBILE_USER_AGENT } from '#contract/limits.ts';

/** A click as the browser makes it: always with its id and its visit. */
export type Click = ClickBody & { event: CtaEvent; id: string; visit_id: string };

/** Facts that all clicks of one page load share. */
export interface PageFacts {
  ref: string | null;
  /**
   * Address of the page, with no parameter but `ref`. So no click identifier of an advertiser is
   * recorded (gclid, fbclid).
   */
  pageUrl: string;
  /** One per page load; PostHog's distinct_id. */
  visitId: string;
  userAgent: string;
  /** The inline script after the hero adds what the stub does not know. */
  facts: VisitFacts;
}

/**
 * Makes the record of one activation of a call to action.
 *
 * @param seq number of the click in this visit: 1, 2, 3 …
 * @param now milliseconds since 1970
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
