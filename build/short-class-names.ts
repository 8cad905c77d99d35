/**
 * Shortens the names of utilities in the built pages, because they would be a sixteenth of each document
 * (docs/decisions.md#tailwind). `npm run dev` shows the names of the source.
 *
 * A name that also occurs in a script stays as it is, because React may write it into the page again.
 */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const STYLE = /<style\b[^>]*>.*?<\/style>/gs;
const ATTRIBUTE = / class="([^"]*)"/g;
/** A class in a selector. A decimal such as `.5rem` looks the same, but no utility has such a name. */
const SELECTOR = /\.((?:[\w-]|\\.)+)/g;
const SEPARATORS = /[\s"'`]+/;

/**
 * @param pages whole documents with their styles inline
 * @param scripts the code that they load
 * @returns the documents in the same order
 */
export function shortenClassNames(pages: string[], scripts: string[]): string[] {
  const code = [...scripts, ...pages.flatMap(inlineScripts)];
  const known = new Set(code.flatMap((text) => text.split(SEPARATORS)));
  const used = classNames(pages);
  const short = shortNames(new Set(used));
  const renamed = new Map(
    used.filter((name) => !known.has(name)).map((name) => [name, short.next().value]),
  );
  return pages.map((html) =>
    html
      .replace(STYLE, (style) => renameSelectors(style, renamed))
      .replace(ATTRIBUTE, (_, value: string) => {
        const names = unescapeHtml(value).split(' ');
        return ` class="${names.map((name) => renamed.get(name) ?? escapeHtml(name)).join(' ')}"`;
      }),
  );
}

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
    const short = renamed.get(escaped.replace(/\\(.)/g, '$1'));
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
