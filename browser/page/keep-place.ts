/**
 * Puts the address's fragment into the links to the other language, so that the visitor stays at
 * the same section.
 */
export function keepPlace(links: Iterable<HTMLAnchorElement>): void {
  const carry = () => {
    for (const link of links) link.hash = location.hash;
  };
  carry();
  addEventListener('hashchange', carry);
}
