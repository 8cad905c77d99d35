/**
 * The script of every help page, loaded after the first paint: delivers the clicks, switches counting off, sends the page, loads
 * the drawings, and keeps the visitor's place for the page in the other language.
 */

import { keepPlace } from '#browser/language-link.ts';
import { loadImages } from '#browser/load-images.ts';
import type { Language } from '#contract/language.ts';
import { countVisitAgain } from '#tracking/count-visit-again.ts';
import { startDelivery } from '#tracking/start-delivery.ts';
import { tools as toolsEn } from '#words/en/help/tools.ts';
import { tools as toolsEs } from '#words/es/help/tools.ts';
import { OPT_OUT } from '#words/opt-out.ts';
import { addOptOut } from './opt-out-button.ts';
import { addSendPage } from './send-page.ts';

const TOOLS: Record<Language, typeof toolsEn> = { en: toolsEn, es: toolsEs };

const capture = window.ctaCapture;
if (capture) {
  countVisitAgain(POSTHOG_KEY, capture);
  startDelivery(IP_LOOKUP_URL, capture);
}
keepPlace([...document.querySelectorAll<HTMLAnchorElement>('a[hreflang]')]);
loadImages(document.images);
const language = document.documentElement.lang as Language;
addOptOut(OPT_OUT[language]({ logIp: LOG_IP }));
addSendPage(TOOLS[language]);
