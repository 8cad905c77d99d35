/**
 * Removes custom properties that a page never reads, and reads of Tailwind's own that it never sets. All pages share one list of
 * tokens (renderer/css/tokens.css), and a help page needs less than half of it. `npm run dev` keeps them all.
 */

const STYLE = /<style>.*?<\/style>/gs;
const DECLARATION = /(?<=[{;])(--[\w-]+):[^;{}]*(?:;|(?=\}))/g;
/** Such as `var(--tw-leading,1.2)`, which each size of text has for the case that a utility sets another height of its lines. */
const TAILWINDS_READ = /var\((--tw-[\w-]+),([^()]*)\)/g;

/**
 * @param html a whole document with its minified style inline
 * @param scripts the code that the document may load
 * @returns the document without the declarations that no `var()` reads, and with the fallback of each read that nothing sets. A
 *   name in a script or in the markup is kept.
 */
export function withoutUnusedVariables(html: string, scripts: readonly string[]): string {
  const kept = new Set([...scripts, html.replace(STYLE, '')].flatMap(variablesIn));
  return removeUnset(removeUnread(html, kept), kept);
}

function removeUnset(html: string, kept: Set<string>): string {
  const styles = html.match(STYLE)?.join('') ?? '';
  const set = new Set([...styles.matchAll(DECLARATION)].map(([, name]) => name));
  return html.replace(STYLE, (style) =>
    style.replace(TAILWINDS_READ, (read, name: string, fallback: string) =>
      set.has(name) || kept.has(name) ? read : fallback,
    ),
  );
}

function removeUnread(html: string, kept: Set<string>): string {
  const styles = html.match(STYLE)?.join('') ?? '';
  const read = new Set([...styles.matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name]) => name));
  const lean = html.replace(STYLE, (style) =>
    style.replace(DECLARATION, (declaration, name: string) =>
      read.has(name) || kept.has(name) ? declaration : '',
    ),
  );
  // A removed declaration may have been the only reader of another variable.
  return lean === html ? html : removeUnread(lean, kept);
}

const variablesIn = (text: string): string[] => text.match(/--[a-zA-Z][\w-]*/g) ?? [];
