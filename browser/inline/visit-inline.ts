/**
 * The second inline script, on every page that is counted: keeps the `ref` and the campaign in the links within the
 * site, and sends the page view.
 *
 * On the landing page it follows the hero, because the browser then paints the hero before the rest has arrived.
 */

import type { VisitFacts } from '#contract/click-fields.schema.ts';
import { readCampaign } from '#contract/visit.ts';
import { asksForPrivacy } from '../opt-out.ts';
import { sendView } from '../visits/send-view.ts';
import { keepQuery } from './keep-query.ts';

/** A reload, or a step in the browser's history. */
const RETURN = /^(re|ba)/;

const stub = window.ctaStub;
if (stub) {
  keepQuery(stub.query);
  stub.facts = readVisitFacts(stub.query);
  // Hidden by browsers that protect from fingerprinting.
  const navigation = performance.getEntriesByType('navigation')[0] as
    | PerformanceNavigationTiming
    | undefined;
  if (!asksForPrivacy())
    sendView({
      // Absent on a page without https.
      id: crypto.randomUUID?.(),
      visit_id: stub.visitId,
      timestamp: new Date().toISOString(),
      page_url: location.origin + location.pathname,
      referrer: stub.ref,
      // A visit begins if no page of this site led to this one, nor a reload or the history.
      is_first:
        stub.facts.referring_domain !== location.host && !RETURN.test(`${navigation?.type}`),
      ...stub.facts,
    });
}

/** Returns the visit's facts, which every click and event of the page carries. */
function readVisitFacts(query: URLSearchParams): VisitFacts {
  return {
    campaign: readCampaign(query),
    referring_domain: document.referrer.split('/')[2] ?? '',
    screen_class: screen.width < 600 ? 'small' : screen.width < 1024 ? 'medium' : 'large',
  };
}
