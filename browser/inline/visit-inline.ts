/**
 * The second inline script, on every page that is counted: keeps the `ref` and the campaign in the
 * links within the site, and sends the page view.
 *
 * On the landing page it follows the hero, because the browser then paints the hero before the rest
 * has arrived.
 */

import type { VisitFacts } from '#contract/click-fields.schema.ts';
import { firstValues, sourceParameters } from '#contract/visit.ts';
import { asksForPrivacy } from '../opt-out.ts';
import { sendView } from '../visits/send-view.ts';
import { keepQuery } from './keep-query.ts';

const stub = window.ctaStub;
if (stub) {
  const carried = sourceParameters(stub.query);
  keepQuery(carried);
  const { ref: _, ...campaign } = firstValues(carried);
  const facts: VisitFacts = Object.assign(stub.facts, {
    campaign,
    referring_domain: document.referrer.split('/')[2] ?? '',
    screen_class: screen.width < 600 ? 'small' : screen.width < 1024 ? 'medium' : 'large',
  } as const);
  const view = (isFirst: boolean) =>
    sendView({
      // Absent on a page without https.
      id: crypto.randomUUID?.(),
      visit_id: stub.visitId,
      page_url: location.origin + location.pathname,
      referrer: stub.ref,
      is_first: isFirst,
      ...facts,
    });
  if (!asksForPrivacy()) {
    // A visit begins if no page of this site led to this one, nor a reload or the history. Those
    // are the types 1 and 2. The newer form of this API takes 45 bytes more of every page.
    view(facts.referring_domain !== location.host && !performance.navigation?.type);
    // A return from the back-forward cache is another view.
    addEventListener('pageshow', ({ persisted }) => persisted && view(false));
  }
}
