/**
 * Shortens the names of utilities in the built pages, because they would be a twentieth of each document
 * (docs/decisions/015-tailwind.md). `npm run dev` shows the names of the source.
 *
 * A name that also occurs in the browser's scripts stays as it is, because React may write it into the page again.
 *
 * The new names have the order of the style sheet, and each attribute lists its names in that order, because brotli then finds more
 * repetitions: 30 to 80 bytes of each landing page.
 */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const STYLE = /<style>.*?<\/style>/gs;
const ATTRIBUTE = / class="([^"]*)"/g;
/** A class in a selector. A decimal such as `.5rem` looks the same, but no utility has such a name. */
const SELECTOR = /\.((?:[\w-]|\\.)+)/g;
const SEPARATORS = /[\s"'`]+/;

/**
 * @param pages whole documents with the same style sheet inline, which stays the same in all of them
 * @param scripts the code that they load
 * @returns the documents in the same order
 */
export function shortenClassNames(pages: string[], scripts: string[]): string[] {
  const code = [...scripts, ...pages.flatMap(inlineScripts)];
  const known = new Set(code.flatMap((text) => text.split(SEPARATORS)));
  const used = classNames(pages);
  const renamed = renameInOrder(
    used.filter((name) => !known.has(name)),
    new Set(used),
    pages,
  );
  return pages.map((html) =>
    html
      .replace(STYLE, (style) => renameSelectors(style, renamed))
      .replace(ATTRIBUTE, (_, value: string) => {
        const classes = unescapeHtml(value).split(' ');
        const names = classes.map((name) => renamed.get(name) ?? escapeHtml(name));
        return ` class="${names.sort(shortestFirst).join(' ')}"`;
      }),
  );
}

/**
 * Gives the most frequent names one letter each. Apart from that, the new names have the order of the style sheets.
 *
 * @param names the most frequent first
 */
function renameInOrder(names: string[], taken: Set<string>, pages: string[]): Map<string, string> {
  const order = new Map(selectorNames(pages).map((name, i) => [name, i]));
  const place = (name: string) => order.get(name) ?? order.size;
  const inOrder = (some: string[]) => some.toSorted((a, b) => place(a) - place(b));
  const frequent = names.slice(0, LETTERS.length);
  const rest = names.slice(LETTERS.length);
  const short = shortNames(taken);
  return new Map(
    [...inOrder(frequent), ...inOrder(rest)].map((name) => [name, short.next().value]),
  );
}

/** Returns the classes of the style sheets once, in their order there. */
function selectorNames(pages: string[]): string[] {
  const styles = new Set(pages.flatMap((html) => html.match(STYLE) ?? []));
  const selectors = [...styles].flatMap((style) => [...style.matchAll(SELECTOR)]);
  return [...new Set(selectors.map(([, escaped = '']) => unescapeCss(escaped)))];
}

const shortestFirst = (a: string, b: string) => a.length - b.length || (a < b ? -1 : 1);

const unescapeCss = (name: string) => name.replace(/\\(.)/g, '$1');

const inlineScripts = (html: string): string[] =>
  [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = '']) => code);

/** Returns each name once, the most frequent first. */
function classNames(pages: string[]): string[] {
  const counts = new Map<string, number>();
  for (const [, value = ''] of pages.join('').matchAll(ATTRIBUTE)) {
    for (const name of unescapeHtml(value).split(' ')) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([name]) => name);
}

/** Yields a, b, … z, aa, ab and so on. */
function* shortNames(taken: Set<string>): Generator<string, never> {
  for (let number = 0; ; number++) {
    let name = '';
    for (let rest = number; rest >= 0; rest = Math.floor(rest / LETTERS.length) - 1) {
      name = LETTERS[rest % LETTERS.length] + name;
    }
    if (!taken.has(name)) yield name;
  }
}

const renameSelectors = (css: string, renamed: Map<string, string>): string =>
  css.replace(SELECTOR, (selector, escaped: string) => {
    const short = renamed.get(unescapeCss(escaped));
    return short ? `.${short}` : selector;
  });

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
const unescapeHtml = (text: string) =>
  Object.entries(ENTITIES).reduceRight(
    (left, [sign, entity]) => left.replaceAll(entity, sign),
    text,
  );
