/**
 * The calls to action, as plain data: no zod, so that the inline stub can carry it in the page's
 * first bytes.
 *
 * To add one, add an entry here and write `<CtaLink cta="…">words</CtaLink>` after the page's
 * `<ClickStub />`. The statistics, the PostHog label and the reports follow from this list. The
 * event's name ends in `_cta_click`, because a server of an older version takes no other name.
 */
export const CTAS = {
  hero: { event: 'hero_cta_click', label: 'hero_button' },
  closing: { event: 'lower_cta_click', label: 'footer_button' },
  help: { event: 'help_cta_click', label: 'help_button' },
} as const satisfies Record<string, { event: `${string}_cta_click`; label: string }>;

export type CtaName = keyof typeof CTAS;
export type CtaEvent = (typeof CTAS)[CtaName]['event'];
export type CtaLabel = (typeof CTAS)[CtaName]['label'];

/** Every log event, in the list's order; never empty. */
export const CTA_EVENTS = Object.values(CTAS).map((cta) => cta.event) as [CtaEvent, ...CtaEvent[]];

/** Whether this version's list of calls to action has the event. */
export const isCtaEvent = (event: string): event is CtaEvent =>
  (CTA_EVENTS as readonly string[]).includes(event);

/**
 * The form of each log event, at most 64 characters. The server keeps a click with a name of this
 * form that is not on its list, because the page may be newer than the server.
 */
export const CTA_EVENT_FORM = /^[a-z][a-z0-9_]{0,53}_cta_click$/;

/** The PostHog label of a log event. */
export function labelOf(event: CtaEvent): CtaLabel {
  for (const cta of Object.values(CTAS)) if (cta.event === event) return cta.label;
  throw new Error(`No call to action has the event "${event}"`);
}
