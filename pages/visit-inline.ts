/**
 * The second inline script, on every page that is counted: keeps the `ref` and the campaign in the links within the site,
 * counts the visit, and loads the page's module after the first paint.
 *
 * On the landing page it follows the hero, because the browser then paints the hero before the rest has arrived.
 */

import { countVisit } from '#tracking/inline/count-visit.ts';
import { keepInSiteLinks } from '#tracking/inline/site-links.ts';
import { readVisitFacts } from '#tracking/inline/visit-facts.ts';
import { asksForPrivacy } from '#tracking/posthog/consent.ts';
import { loadModule } from './load-module.ts';

const capture = window.ctaCapture;
keepInSiteLinks(location.search);
if (capture) {
  capture.facts = readVisitFacts();
  if (!asksForPrivacy(navigator)) countVisit(POSTHOG_KEY, capture);
}
loadModule();
