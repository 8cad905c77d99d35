/**
 * The inline stub: the only script a click needs to be counted. It stands before the first of them, below 1 KB.
 *
 * It makes the links ready while the document is still arriving (the page's `ref` goes in, `ping` goes out),
 * captures every activation, keeps it in the outbox in the same tick, and, as long as the pipeline has not
 * taken over, sends it as a beacon. It never delays or prevents the link.
 */

import { OPT_OUT_KEY, OPTED_OUT } from '#browser/opt-out.ts';
import { apiUrl, BEACON_CONTENT_TYPE } from '#contract/api-url.ts';
import type { CtaEvent } from '#contract/cta.ts';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { type Capture, OUTBOX_PREFIX } from '../clicks/capture.ts';
import { makeClick } from '../clicks/make-click.ts';
import { newId } from '../clicks/uuid-v7.ts';
import { carryRef } from './carry-ref.ts';
import { readRef } from './read-ref.ts';

const UNARMED = 'a[data-cta][ping],a[href="/"]';

const capture: Capture = {
  ref: readRef(location.search),
  visitId: newId(),
  userAgent: navigator.userAgent,
  waiting: [],
};
window.ctaCapture = capture;

/** Without script `ping` would count the click; from here on this script does. */
const armLinks = () => {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(UNARMED)) {
    link.removeAttribute('ping');
    carryRef(link, capture.ref);
  }
};
// Observers run before the parser yields to paint: no link can be seen, and so used, before it is armed.
const observer = new MutationObserver(armLinks);
observer.observe(document, { childList: true, subtree: true });
addEventListener('DOMContentLoaded', () => {
  armLinks();
  observer.disconnect();
});

const onActivate = (event: MouseEvent) => {
  const link = (event.target as Element).closest?.<HTMLElement>('a[data-cta]');
  if (!link || (event.type !== 'click' && event.button !== 1)) return;
  const click = makeClick(
    link.dataset.event as CtaEvent,
    capture,
    location.href,
    Date.now(),
    newId(),
  );
  try {
    if (localStorage.getItem(OPT_OUT_KEY) === OPTED_OUT) return;
    localStorage.setItem(OUTBOX_PREFIX + click.id, JSON.stringify(click));
  } catch {
    // Storage is full or refused: the click lives in memory until it is sent.
  }
  if (capture.onClick) return capture.onClick(click);
  capture.waiting.push(click);
  // At once: Chromium closes a tab that has not finished loading without telling the page. The entry stays in the
  // outbox until the pipeline has it confirmed; the server takes each id once.
  const body = new Blob([JSON.stringify(click)], { type: BEACON_CONTENT_TYPE });
  navigator.sendBeacon(apiUrl(`${LOG_CTA_PATH}?via=beacon`), body);
};
addEventListener('click', onActivate, true);
addEventListener('auxclick', onActivate, true);
