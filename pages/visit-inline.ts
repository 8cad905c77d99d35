/**
 * The second inline script, on every page that is counted: keeps the `ref` and the campaign in the links within the site, and
 * counts the visit.
 *
 * On the landing page it follows the hero, because the browser then paints the hero before the rest has arrived.
 */

import { countVisit } from '#browser/inline/count-visit.ts';
import { keepInSiteLinks } from '#browser/inline/site-links.ts';
import { readVisitFacts } from '#browser/inline/visit-facts.ts';
import { asksForPrivacy } from '#browser/posthog/consent.ts';

const capture = window.ctaCapture;
keepInSiteLinks(location.search);
if (capture) {
  capture.facts = readVisitFacts();
  if (!asksForPrivacy(navigator)) countVisit(POSTHOG_KEY, capture);
}
