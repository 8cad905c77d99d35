/** Links to pages of this site. Links to its files contain a dot. The portal's stand-in needs its own query. */
const SITE_LINKS = 'a[href^="/"]:not([href*="."],[href*="?"])';

/** The `ref` and the campaign, as a query has them. Each page reads them with its own checks. */
const KEPT = /[?&](ref|utm_\w+)=[^&]+/g;

/**
 * Puts the page's `ref` and campaign into every link within the site, also into those that the browser has yet to parse.
 *
 * @param search `location.search`
 */
export function keepInSiteLinks(search: string): void {
  const kept = search.match(KEPT)?.join('');
  if (!kept) return;
  const keep = () => {
    for (const link of document.querySelectorAll<HTMLAnchorElement>(SITE_LINKS)) link.search = kept;
  };
  keep();
  // Observers run before the parser yields to paint, so that a link has its query before the visitor can see it.
  const observer = new MutationObserver(keep);
  observer.observe(document, { childList: true, subtree: true });
  addEventListener('DOMContentLoaded', () => {
    // The last links may have come in the same step, and a disconnected observer forgets them.
    keep();
    observer.disconnect();
  });
}
