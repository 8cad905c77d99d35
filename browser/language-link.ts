/** The link to the same page in the other language. It is a plain link. The browser's languages only suggest it, and never redirect. */

/** Puts the address's fragment into the links, so that the visitor stays at the same section. */
export function keepPlace(links: readonly HTMLAnchorElement[]): void {
  const carry = () => {
    for (const link of links) link.hash = location.hash;
  };
  carry();
  addEventListener('hashchange', carry);
}

/**
 * Marks the links if the browser prefers their language to the page's. The style shows it without moving anything, and screen
 * readers say it with the link.
 *
 * @param preferred `navigator.languages`, such as `['es-MX', 'en']`, the preferred one first
 * @param words say why, in the links' language
 */
export function suggestLanguage(
  links: readonly HTMLAnchorElement[],
  preferred: readonly string[],
  words: string,
): void {
  const pageLanguage = document.documentElement.lang;
  for (const link of links) {
    const known = preferred
      .map((tag) => tag.split('-', 1)[0])
      .find((language) => language === link.hreflang || language === pageLanguage);
    if (known !== link.hreflang) continue;
    link.dataset.suggested = '';
    link.setAttribute('aria-description', words);
  }
}
