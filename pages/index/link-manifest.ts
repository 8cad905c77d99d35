/**
 * Links the manifest, which gives a phone's home screen the page's name and icon. The document has no such link, because
 * Chromium then fetches the manifest while it draws the first frame.
 */
export function linkManifest(): void {
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = '/manifest.webmanifest';
  document.head.append(link);
}
