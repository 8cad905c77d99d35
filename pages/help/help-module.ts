/**
 * The script of every help page, loaded after the first paint: delivers the clicks, switches counting off, sends the page, and
 * keeps the visitor's place for the page in the other language.
 */

import { keepPlace } from '#browser/language-link.ts';
import { countVisitAgain } from '#tracking/count-visit-again.ts';
import { startDelivery } from '#tracking/start-delivery.ts';
import { showOptOut } from './opt-out-button.ts';
import { showSendPage } from './send-page.ts';

const capture = window.ctaCapture;
if (capture) {
  if (POSTHOG_KEY) countVisitAgain(POSTHOG_KEY, capture);
  startDelivery(IP_LOOKUP_URL, capture);
}
keepPlace([...document.querySelectorAll<HTMLAnchorElement>('a[hreflang]')]);
showOptOut(document.querySelector<HTMLElement>('[data-opt-out]'));
showSendPage(document.querySelector<HTMLElement>('[data-send]'));
