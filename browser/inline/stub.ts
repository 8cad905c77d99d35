/**
 * The inline stub: the only script that is needed to count a click. It is in the HTML before the
 * first call to action, and has less than 1 KB.
 *
 * While the document loads, the stub prepares each call to action: it adds the page's `ref` to the
 * link, and removes the link's `ping` attribute. It stores each press in the outbox (localStorage)
 * during the event. Until the page's module has loaded, the stub also sends the press as a beacon.
 * It never delays or prevents the navigation.
 */

import type { CtaEvent } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { readQuery, readRef } from '#contract/ref.ts';
import { makeClick } from '../clicks/make-click.ts';
import { OUTBOX_PREFIX, type StubData } from '../clicks/stub-data.ts';
import { newId } from '../clicks/uuid-v7.ts';
import { INTERNAL_KEY, OPT_OUT_KEY, OPTED_OUT } from '../opt-out.ts';

const query = readQuery(location.search);
const ref = readRef(query);
const refParameter = ref ? `&${new URLSearchParams({ ref })}` : '';
const stub: StubData = {
  query,
  ref,
  pageUrl: location.origin + location.pathname + refParameter.replace('&', '?'),
  visitId: newId(),
  userAgent: navigator.userAgent,
  facts: { is_automated: navigator.webdriver },
  waiting: [],
  onClick(click) {
    stub.waiting.push(click);
    // The beacon is sent during the press, because Chromium fires no event when it closes a loading
    // tab. The click also stays in the outbox, because a beacon has no response. If both arrive,
    // the server counts the id once.
    try {
      navigator.sendBeacon(`${LOG_CTA_PATH}?via=beacon`, JSON.stringify(click));
    } catch {
      // The same fallback as in send-beacon.ts, in fewer bytes: without `catch`, a failure is one
      // line in the browser's console.
      fetch(`${LOG_CTA_PATH}?via=beacon`, {
        method: 'POST',
        body: JSON.stringify(click),
        keepalive: true,
      });
    }
  },
};
/** Number of clicks in this page load. Each click has its number, so that a gap shows a loss. */
let clickCount = 0;
window.ctaStub = stub;

/**
 * Prepares each new call to action. Removes its `ping` attribute, which counts clicks where scripts
 * are off, so that no click is counted twice.
 */
const prepareLinks = () => {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[ping]')) {
    link.removeAttribute('ping');
    // `refParameter` begins with "&", because the link already has the invitation code as a query.
    if (refParameter) link.search += refParameter;
  }
};
// A mutation observer runs before the parser yields to paint, so that each link is prepared before
// the visitor can see it. It is never disconnected: later changes of the page are rare, and a
// listener that disconnects it would add 40 bytes to every page.
new MutationObserver(prepareLinks).observe(document, { childList: true, subtree: true });

const onPress = (press: MouseEvent) => {
  const link = (press.target as Element).closest?.<HTMLElement>('a[data-cta]');
  // Button 0 is the main button, a finger or a key. Button 1, the middle one, fires `auxclick`.
  if (!link || press.button > 1) return;
  const click = makeClick(
    link.dataset.event as CtaEvent,
    stub,
    clickCount + 1,
    Date.now(),
    newId(),
  );
  if (!press.isTrusted) click.is_scripted = true;
  try {
    if (localStorage.getItem(OPT_OUT_KEY) === OPTED_OUT) return;
    if (localStorage.getItem(INTERNAL_KEY)) click.is_internal = true;
    localStorage.setItem(OUTBOX_PREFIX + click.id, JSON.stringify(click));
  } catch {
    // The storage is full, or the browser denies access. The click stays in memory until it is
    // sent.
  }
  clickCount += 1;
  stub.onClick(click);
};
addEventListener('click', onPress, true);
addEventListener('auxclick', onPress, true);
