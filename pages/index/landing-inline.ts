/**
 * The second inline script of the landing page: counts the visit, and loads the page's module after the first paint.
 * It follows the hero, because the browser then paints the hero before the rest has arrived.
 */

import { countVisit } from '#tracking/inline/count-visit.ts';
import { readVisitFacts } from '#tracking/inline/visit-facts.ts';
import { asksForPrivacy } from '#tracking/posthog/consent.ts';
import { loadModule } from './load-module.ts';

/** The build replaces this. */
declare const POSTHOG_KEY: string | null;

const capture = window.ctaCapture;
if (capture) {
  capture.facts = readVisitFacts();
  if (POSTHOG_KEY && !asksForPrivacy(navigator)) countVisit(POSTHOG_KEY, capture);
}
loadModule();
