/**
 * The calls to action, as plain data: no zod, so that the inline stub can carry it in the page's first bytes.
 *
 * To add one, add an entry here and write `<CtaLink cta="…">`; the zod enum of the log, the statistics,
 * the PostHog label and the reports follow from this list.
 */
export const CTAS = {
  hero: { event: 'hero_cta_click', label: 'hero_button' },
  closing: { event: 'lower_cta_click', label: 'footer_button' },
} as const;

export type CtaName = keyof typeof CTAS;
export type CtaEvent = (typeof CTAS)[CtaName]['event'];
export type CtaLabel = (typeof CTAS)[CtaName]['label'];

/** Every log event, in the list's order; never empty. */
export const CTA_EVENTS = Object.values(CTAS).map((cta) => cta.event) as [CtaEvent, ...CtaEvent[]];

/** The PostHog label of a log event. */
export function labelOf(event: CtaEvent): CtaLabel {
  for (const cta of Object.values(CTAS)) if (cta.event === event) return cta.label;
  throw new Error(`No call to action has the event "${event}"`);
}
