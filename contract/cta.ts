/**
 * The calls to action. Plain data without zod, so that the inline stub can contain it.
 *
 * To add one, add an entry here and write `<CtaLink cta="…">words</CtaLink>` after the page's
 * `<ClickStub />`. Statistics, PostHog labels and reports follow from this list. The event's name
 * must end in `_cta_click`, because servers of older versions accept no other names.
 */
export const CTAS = {
  hero: { event: 'hero_cta_click', label: 'hero_button' },
  closing: { event: 'lower_cta_click', label: 'footer_button' },
  help: { event: 'help_cta_click', label: 'help_button' },
} as const satisfies Record<string, { event: `${string}_cta_click`; label: string }>;

export type CtaName = keyof typeof CTAS;
export type CtaEvent = (typeof CTAS)[CtaName]['event'];
export type CtaLabel = (typeof CTAS)[CtaName]['label'];

/** The events of all calls to action, in the list's order; never empty. */
export const CTA_EVENTS = Object.values(CTAS).map((cta) => cta.event) as [CtaEvent, ...CtaEvent[]];

/** Whether an event is on this version's list. */
export const isCtaEvent = (event: string): event is CtaEvent =>
  (CTA_EVENTS as readonly string[]).includes(event);

/**
 * The format of an event's name, with at most 64 characters. A server stores a click whose event
 * has this format even if the event is not on its list, because the page may be newer than the
 * server.
 */
export const CTA_EVENT_FORM = /^[a-z][a-z0-9_]{0,53}_cta_click$/;

/** Returns PostHog's label for an event. */
export function labelOf(event: CtaEvent): CtaLabel {
  for (const cta of Object.values(CTAS)) if (cta.event === event) return cta.label;
  throw new Error(`No call to action has the event "${event}"`);
}
