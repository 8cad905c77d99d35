/**
 * The second inline script of every page whose visits are counted: adds the `ref` and the campaign
 * to the links within the site, and sends the page view.
 *
 * On the landing page it is below the hero, so that the browser can paint the hero before it runs.
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
      // The browser has no `randomUUID` on a page without https. The view then has no id.
      id: crypto.randomUUID?.(),
      visit_id: stub.visitId,
      page_url: location.origin + location.pathname,
      referrer: stub.ref,
      is_first: isFirst,
      ...facts,
    });
  if (!asksForPrivacy()) {
    // A view begins a visit unless it comes from a page of this site, from a reload (type 1) or
    // from the history (type 2). The newer API, `getEntriesByType('navigation')`, would add 45
    // bytes to every page.
    view(facts.referring_domain !== location.host && !performance.navigation?.type);
    // A page that returns from the back-forward cache is another view.
    addEventListener('pageshow', ({ persisted }) => persisted && view(false));
  }
}
