/**
 * The second inline script, on every page that is counted: keeps the `ref` and the campaign in the links within the
 * site, and counts the visit.
 *
 * On the landing page it follows the hero, because the browser then paints the hero before the rest has arrived.
 */

import type { VisitFacts } from '#contract/click-fields.schema.ts';
import { readCampaign } from '#contract/visit.ts';
import { asksForPrivacy } from '../opt-out.ts';
import { countVisit } from '../posthog/count-visit.ts';
import { keepQuery } from './keep-query.ts';

const stub = window.ctaStub;
if (stub) {
  keepQuery(stub.query);
  stub.facts = readVisitFacts(stub.query);
  if (!asksForPrivacy()) countVisit(POSTHOG_KEY, stub);
}

/** Returns the visit's facts, which every click and event of the page carries. */
function readVisitFacts(query: URLSearchParams): VisitFacts {
  return {
    campaign: readCampaign(query),
    referring_domain: document.referrer.split('/')[2] ?? '',
    screen_class: screen.width < 600 ? 'small' : screen.width < 1024 ? 'medium' : 'large',
  };
}
