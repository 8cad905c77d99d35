/**
 * Lets a component report an event without importing the code that counts it.
 * It passes on only the event's name, never form contents.
 */
import type { TrackingEvent } from '#contract/events.ts';

const NAME = 'site:happened';

export type UiEvent = Extract<TrackingEvent, 'video_played' | `registration_${string}`>;

export function emitUiEvent(uiEvent: UiEvent): void {
  document.dispatchEvent(new CustomEvent<UiEvent>(NAME, { detail: uiEvent }));
}

/** Calls back on every UI event. Returns a function that stops the calls. */
export function onUiEvent(listener: (uiEvent: UiEvent) => void): () => void {
  const handle = (event: Event) => listener((event as CustomEvent<UiEvent>).detail);
  document.addEventListener(NAME, handle);
  return () => document.removeEventListener(NAME, handle);
}
