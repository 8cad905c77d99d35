/**
 * The inline stub, below 1 KB: the only script that is needed to count a click. It is before the
 * first link.
 *
 * The stub arms the links while the document is still loading: it adds the page's `ref` and removes
 * `ping`. It stores every activation of a link in the outbox, in the same tick. Until the pipeline
 * takes over, the stub also sends the click as a beacon. It never delays or prevents the link.
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
    // At once, because Chromium closes a loading tab without an event. The entry stays in the
    // outbox until the pipeline has it confirmed. The server takes each id once.
    try {
      navigator.sendBeacon(`${LOG_CTA_PATH}?via=beacon`, JSON.stringify(click));
    } catch {
      // As send-beacon.ts does, in fewer bytes: a failure is one more line in the browser's
      // console.
      fetch(`${LOG_CTA_PATH}?via=beacon`, {
        method: 'POST',
        body: JSON.stringify(click),
        keepalive: true,
      });
    }
  },
};
/** Clicks of this visit. A gap in their numbers in the table shows a loss. */
let clicks = 0;
window.ctaStub = stub;

/** Removes `ping`, which counts clicks without script, because this script counts them now. */
const armLinks = () => {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[ping]')) {
    link.removeAttribute('ping');
    // It has the invitation code already.
    if (refParameter) link.search += refParameter;
  }
};
// Observers run before the parser yields to paint, so that every link is armed before the visitor
// can see it. This one stays: later changes of the page are rare, and a listener that ends it takes
// 40 bytes more of every page.
new MutationObserver(armLinks).observe(document, { childList: true, subtree: true });

const onActivate = (event: MouseEvent) => {
  const link = (event.target as Element).closest?.<HTMLElement>('a[data-cta]');
  // 0: the main button, a finger or a key; 1: the middle button, as `auxclick`.
  if (!link || event.button > 1) return;
  const click = makeClick(link.dataset.event as CtaEvent, stub, clicks + 1, Date.now(), newId());
  if (!event.isTrusted) click.is_scripted = true;
  try {
    if (localStorage.getItem(OPT_OUT_KEY) === OPTED_OUT) return;
    if (localStorage.getItem(INTERNAL_KEY)) click.is_internal = true;
    localStorage.setItem(OUTBOX_PREFIX + click.id, JSON.stringify(click));
  } catch {
    // The storage is full or refused. The click stays in memory until it is sent.
  }
  clicks += 1;
  stub.onClick(click);
};
addEventListener('click', onActivate, true);
addEventListener('auxclick', onActivate, true);
