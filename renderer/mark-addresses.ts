/** Forms, which are not on paper, or the opening tag of a link to another site. */
const FORM_OR_LINK = /<form\b.*?<\/form>|<a\b[^>]*\bhref="(https?:[^"]*)"/gs;

/**
 * Marks the first link to each address of another site, because a printout shows these addresses,
 * each once (css/modes.css). Styles cannot tell such a link from one within the site, whose address
 * is absolute once a script has put the `ref` into it. Calls to action have no mark, because a
 * printout shows the address of every one.
 *
 * @param html the body of a page
 */
export function markAddresses(html: string): string {
  const marked = new Set<string>();
  return html.replace(FORM_OR_LINK, (part, href?: string) => {
    if (href === undefined || part.includes(' data-cta=')) return part;
    // React and the words' Markdown escape this sign differently.
    const address = href.replaceAll('&#38;', '&amp;');
    if (marked.has(address)) return part;
    marked.add(address);
    return `${part} data-address=""`;
  });
}
