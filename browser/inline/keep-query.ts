/**
 * Selector of links to pages of this site. Links to files (with a dot) are left out, and links that
 * have a query already, such as those to the portal's stand-in.
 */
const SITE_LINKS = 'a[href^="/"]:not([href*="."],[href*="?"])';

/**
 * Adds the `ref` and the campaign parameters of the page's address to every link within the site,
 * also to links that the browser has yet to parse. The values are not checked here: the page that a
 * link opens checks them.
 *
 * @param carried names and values, as `sourceParameters` returns them
 */
export function keepQuery(carried: string[][]): void {
  // URLSearchParams writes a space as "+". A visitor may copy the link into a mail, and some mail
  // programs do not read "+" as a space.
  const search = String(new URLSearchParams(carried)).replaceAll('+', '%20');
  if (!search) return;
  const keep = () => {
    for (const link of document.querySelectorAll<HTMLAnchorElement>(SITE_LINKS))
      link.search = search;
  };
  keep();
  // A mutation observer runs before the parser yields to paint, so that a link has its query before
  // the visitor can see it. It is never disconnected. It changes each link once, because SITE_LINKS
  // leaves out links with a query.
  new MutationObserver(keep).observe(document, { childList: true, subtree: true });
}
