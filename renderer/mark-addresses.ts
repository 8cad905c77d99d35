/** Forms, which are not on paper, or the opening tag of a link to another site. */
const FORM_OR_LINK = /<form\b.*?<\/form>|<a\b[^>]*\bhref="(https?:[^"]*)"/gs;

/**
 * Marks the last link to each address of another site, because a printout shows these addresses,
 * each once (css/modes.css): the last one is at the end of the page, where its words say that it
 * is. Styles cannot tell such a link from one within the site, whose address is absolute once a
 * script has put the `ref` into it. Calls to action have no mark, because a printout shows the
 * address of every one.
 *
 * @param html the body of a page
 */
export function markAddresses(html: string): string {
  const lastPlaces = new Map<string, number>();
  for (const { 0: part, 1: href, index } of html.matchAll(FORM_OR_LINK)) {
    // React and the words' Markdown escape this sign differently.
    if (href && !part.includes(' data-cta='))
      lastPlaces.set(href.replaceAll('&#38;', '&amp;'), index);
  }
  const marked = new Set(lastPlaces.values());
  return html.replace(FORM_OR_LINK, (part: string, _href: string | undefined, place: number) =>
    marked.has(place) ? `${part} data-address=""` : part,
  );
}
