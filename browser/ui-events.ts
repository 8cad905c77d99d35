/**
 * How a component tells that something happened, without knowing who counts it.
 * Nothing but the event's name travels: no form contents, ever.
 */
import type { TrackingEvent } from '#contract/events.ts';

const NAME = 'site:happened';

export type Happening = Extract<TrackingEvent, 'video_played' | `registration_${string}`>;

export function announce(happening: Happening): void {
  document.dispatchEvent(new CustomEvent<Happening>(NAME, { detail: happening }));
}

/** Calls back on every announcement; returns the way to stop. */
export function onAnnounced(listener: (happening: Happening) => void): () => void {
  const handle = (event: Event) => listener((event as CustomEvent<Happening>).detail);
  document.addEventListener(NAME, handle);
  return () => document.removeEventListener(NAME, handle);
}
