/**
 * Links to pages of this site. Links to its files contain a dot. The portal's stand-in needs its
 * own query.
 */
const SITE_LINKS = 'a[href^="/"]:not([href*="."],[href*="?"])';

/**
 * Puts the `ref` and the campaign of the page's address into every link within the site, also into
 * links that the browser has yet to parse. The values stay as they are: each page reads them with
 * its own checks.
 *
 * @param carried as `sourceParameters` returns it
 */
export function keepQuery(carried: string[][]): void {
  // A visitor may copy a link into a mail. A space is %20 there, because some programs keep the
  // plus sign.
  const search = String(new URLSearchParams(carried)).replaceAll('+', '%20');
  if (!search) return;
  const keep = () => {
    for (const link of document.querySelectorAll<HTMLAnchorElement>(SITE_LINKS))
      link.search = search;
  };
  keep();
  // Observers run before the parser yields to paint, so that a link has its query before the
  // visitor can see it. This one stays, like the stub's. A link with its query is no longer among
  // SITE_LINKS.
  new MutationObserver(keep).observe(document, { childList: true, subtree: true });
}
