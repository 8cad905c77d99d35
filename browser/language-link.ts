/** Puts the address's fragment into the links, so that the visitor stays at the same section. */
export function keepPlace(links: readonly HTMLAnchorElement[]): void {
  const carry = () => {
    for (const link of links) link.hash = location.hash;
  };
  carry();
  addEventListener('hashchange', carry);
}
