/** Finds elements in a page's HTML, as the build or a proxy wrote it. */

export interface Element {
  attributes: Map<string, string>;
  /** The HTML between its tags. */
  text: string;
}

/** An attribute may have double quotes, single ones, or none. */
const ATTRIBUTE = /([^\s"'=<>/]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'>]*)))?/g;

/**
 * Returns the elements with a tag name, in their order.
 *
 * @param name in lower case
 */
export function elementsOf(html: string, name: string): Element[] {
  const elements: Element[] = [];
  const lower = html.toLowerCase();
  let from = lower.indexOf(`<${name}`);
  while (from >= 0) {
    const inside = from + name.length + 1;
    const end = lower.indexOf('>', inside);
    if (end < 0) break;
    if (/[\s>/]/.test(lower.charAt(inside))) {
      const close = lower.indexOf(`</${name}`, end);
      const text = close < 0 ? '' : html.slice(end + 1, close);
      elements.push({ attributes: attributesOf(html.slice(inside, end)), text });
    }
    from = lower.indexOf(`<${name}`, end);
  }
  return elements;
}

const attributesOf = (tag: string): Map<string, string> =>
  new Map(
    [...tag.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      (double ?? single ?? bare ?? '').replaceAll('&amp;', '&'),
    ]),
  );
