/**
 * Finds elements in the HTML of a page, as the build or a proxy wrote it. A search of tags is
 * enough: the walk asks only for buttons, scripts, styles and `meta`, which are not nested.
 */

/** An element of a page. Names of attributes are in lower case. */
export interface Element {
  attributes: Map<string, string>;
  /** The HTML between the element's tags. */
  text: string;
}

/** Finds an attribute: its name, and its value with double quotes, single quotes, or none. */
const ATTRIBUTE = /([^\s"'=<>/]+)(?:=(?:"([^"]*)"|'([^']*)'|([^\s"'>]*)))?/g;

/**
 * Returns the elements with a tag name, in the order of the page.
 *
 * @param name tag name in lower case
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

/** Reads the attributes of a start tag. */
const attributesOf = (tag: string): Map<string, string> =>
  new Map(
    [...tag.matchAll(ATTRIBUTE)].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      (double ?? single ?? bare ?? '').replaceAll('&amp;', '&'),
    ]),
  );
