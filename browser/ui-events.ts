/**
 * Lets a component report an event without importing the code that counts it.
 * An event carries its own properties of the tracking plan, never form contents.
 */
import type { TrackingEvent, TrackingPlan } from '#contract/events.ts';

const NAME = 'site:happened';

/** Every event of the tracking plan that tracking does not send by itself. */
export type UiEvent = Exclude<
  TrackingEvent,
  '$pageview' | 'section_viewed' | 'cta_click' | 'video_played' | 'web_vital'
>;

/** An event's own properties in the tracking plan. Tracking adds those of the visit. Never form contents. */
export type UiEventProperties<E extends UiEvent> = TrackingPlan[E];

/** An event without properties of its own takes no second argument. */
type Rest<E extends UiEvent> = keyof UiEventProperties<E> extends never
  ? []
  : [properties: UiEventProperties<E>];

interface Detail<E extends UiEvent> {
  uiEvent: E;
  properties: UiEventProperties<E>;
}

export function emitUiEvent<E extends UiEvent>(uiEvent: E, ...[properties]: Rest<E>): void {
  const detail = { uiEvent, properties: properties ?? {} };
  document.dispatchEvent(new CustomEvent(NAME, { detail }));
}

/** Calls back on every UI event. Returns a function that stops the calls. */
export function onUiEvent(
  listener: <E extends UiEvent>(uiEvent: E, properties: UiEventProperties<E>) => void,
): () => void {
  const handle = (event: Event) => {
    const { uiEvent, properties } = (event as CustomEvent<Detail<UiEvent>>).detail;
    listener(uiEvent, properties);
  };
  document.addEventListener(NAME, handle);
  return () => document.removeEventListener(NAME, handle);
}
