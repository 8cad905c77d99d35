/**
 * How a component tells that something happened, without knowing who counts it.
 * Nothing but the event's name travels: no form contents, ever.
 */
import type { TrackingEvent } from '#contract/events.ts';

const NAME = 'site:happened';

export type UiEvent = Extract<TrackingEvent, 'video_played' | `registration_${string}`>;

export function emitUiEvent(uiEvent: UiEvent): void {
  document.dispatchEvent(new CustomEvent<UiEvent>(NAME, { detail: uiEvent }));
}

/** Calls back on every UI event; returns the way to stop. */
export function onUiEvent(listener: (uiEvent: UiEvent) => void): () => void {
  const handle = (event: Event) => listener((event as CustomEvent<UiEvent>).detail);
  document.addEventListener(NAME, handle);
  return () => document.removeEventListener(NAME, handle);
}
