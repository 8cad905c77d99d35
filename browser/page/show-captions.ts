/**
 * Shows the film's captions in WebKit, which ignores the attribute `default` of `<track>`. It waits
 * for `loadeddata`, because WebKit disables all captions until then.
 *
 * @param film whose first track has the captions in the page's language; null: the page has none
 */
export function showCaptions(film: HTMLVideoElement | null): void {
  const show = () => {
    const [captions] = film?.textTracks ?? [];
    if (captions) captions.mode = 'showing';
  };
  film?.addEventListener('loadeddata', show, { once: true });
}
