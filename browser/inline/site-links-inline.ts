/**
 * Puts the page's `ref` and campaign into every link within the site, also into those that the browser has yet to parse. The only
 * inline script of a page that is not counted, such as the 404 card.
 */

/** Links to pages of this site. Links to its files contain a dot. The portal's stand-in needs its own query. */
const SITE_LINKS = 'a[href^="/"]:not([href*="."],[href*="?"])';

/** The `ref` and the campaign, as a query has them. Each page reads them with its own checks. */
const kept = location.search.match(/[?&](ref|utm_\w+)=[^&]+/g)?.join('');
const keep = () => {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(SITE_LINKS))
    link.search = kept ?? '';
};
if (kept) {
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
