/**
 * Leaves out characters of React's HTML that change nothing for a browser, because the landing page must fit into the first
 * round trip (tests/build/size.test.ts). Whitespace between words stays.
 */

/** Scripts and styles stay as they are, because the content security policy has their hashes. */
const CODE = /(<(script|style)\b[^>]*>.*?<\/\2>)/s;
/** How many parts `split` makes of each piece of code: the code, and the name of its element. */
const PARTS_OF_CODE = 2;

/** @returns a document that browsers parse into the same elements */
export function minifyHtml(html: string): string {
  return html
    .split(CODE)
    .map((part, i) => {
      const kind = i % (PARTS_OF_CODE + 1);
      if (kind === 0) return minifyMarkup(part);
      return kind === 1 ? part : '';
    })
    .join('');
}

const minifyMarkup = (html: string): string =>
  html
    .replace(/(<(?:br|img|input|link|meta|source)\b[^>]*?)\/>/g, '$1>')
    .replace(/><\/(?:circle|ellipse|line|path|rect|use)>/g, '/>')
    .replace(/ (data-[a-z]+|alt)=""/g, ' $1')
    .replace(/>\n(?=<)/g, '>');
