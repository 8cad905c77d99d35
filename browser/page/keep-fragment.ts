/**
 * Adds the fragment of the page's address, such as `#register`, to the links to the other language,
 * so that the visitor stays at the same section.
 */
export function keepFragment(links: Iterable<HTMLAnchorElement>): void {
  const copyFragment = () => {
    for (const link of links) link.hash = location.hash;
  };
  copyFragment();
  addEventListener('hashchange', copyFragment);
}
