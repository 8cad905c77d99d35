/**
 * Groups the built pages by their inline style sheet, each group with the scripts that its pages can load. Names in a style sheet can
 * be shortened per group: the help pages have a style sheet and a script of their own, without React.
 */

export interface StyleGroup {
  /** Paths of the pages. */
  pages: string[];
  /** Code of the scripts that one of the pages can load. */
  scripts: string[];
}

const STYLE = /<style>.*?<\/style>/gs;

/**
 * @param pages whole documents, by path
 * @param scripts the code of every built script, by path
 */
export function groupByStyle(
  pages: ReadonlyMap<string, string>,
  scripts: ReadonlyMap<string, string>,
): StyleGroup[] {
  const groups = Map.groupBy(pages.keys(), (path) => pages.get(path)?.match(STYLE)?.join());
  return [...groups.values()].map((paths) => ({
    pages: paths,
    scripts: scriptsOf(paths.map((path) => pages.get(path) ?? '').join(''), scripts),
  }));
}

/** @returns the scripts that the text names, and those that these name, and so on */
function scriptsOf(text: string, scripts: ReadonlyMap<string, string>): string[] {
  const found = new Set<string>();
  const queue = [text];
  for (let code = queue.pop(); code !== undefined; code = queue.pop()) {
    for (const [path, script] of scripts) {
      if (found.has(path) || !code.includes(fileName(path))) continue;
      found.add(path);
      queue.push(script);
    }
  }
  return [...found].map((path) => scripts.get(path) ?? '');
}

const fileName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
