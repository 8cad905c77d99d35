/**
 * Shows the captions of the page's language in WebKit, which ignores the attribute `default`. Other
 * browsers show them by themselves. Waits until the film has loaded, because WebKit disables the
 * captions again until then.
 */
export function showCaptions(film: HTMLVideoElement | null): void {
  const show = () => {
    const [captions] = film?.textTracks ?? [];
    if (captions) captions.mode = 'showing';
  };
  film?.addEventListener('loadeddata', show, { once: true });
}
