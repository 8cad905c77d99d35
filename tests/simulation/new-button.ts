/** Simulates a call to action of a newer version, which the servers know, or do not know yet. */
import { CTA_EVENTS, CTAS, type CtaEvent } from '#contract/cta.ts';

export const NEW_EVENT = 'new_cta_click' as CtaEvent;

const events: string[] = CTA_EVENTS;

/** Sets whether the servers run the version that knows the button. */
export function setKnown(isKnown: boolean): void {
  const place = events.indexOf(NEW_EVENT);
  if (place >= 0) events.splice(place, 1);
  if (isKnown) events.push(NEW_EVENT);
  Object.assign(CTAS, { new: { event: NEW_EVENT, label: 'new_button' } });
}
