/** The oldest browsers of docs/architecture.md can parse the built scripts. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Node, type Options, parse } from 'acorn';
import { expect, test } from 'vitest';

const CLIENT = join(process.env.DIST_DIR ?? 'dist', 'client');

/** Safari 15.4, Chrome 100 and Firefox 100 parse ES2022, except for the features in `TOO_NEW`. */
const ECMA_VERSION: Options['ecmaVersion'] = 2022;
/** Features that Safari has since 16.4. */
const TOO_NEW: Record<string, (node: Node & Record<string, unknown>) => boolean> = {
  'a static block': ({ type }) => type === 'StaticBlock',
  'a look-behind': ({ type, regex, value }) =>
    type === 'Literal' &&
    /\(\?<[=!]/.test(
      regex ? ((regex as RegExp).source ?? '') : typeof value === 'string' ? value : '',
    ),
};

interface Script {
  name: string;
  code: string;
  isModule: boolean;
}

function builtScripts(): Script[] {
  const files = globSync('assets/**/*.js', { cwd: CLIENT }).map((name) => ({
    name: basename(name),
    code: readFileSync(join(CLIENT, name), 'utf8'),
    isModule: true,
  }));
  const inline = globSync('*.html', { cwd: CLIENT }).flatMap((page) => {
    const html = readFileSync(join(CLIENT, page), 'utf8');
    return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code = ''], at) => ({
      name: `${page}, inline script ${at + 1}`,
      code,
      isModule: false,
    }));
  });
  return [...files, ...inline];
}

/** Calls the callback for every node of a syntax tree. */
function walk(node: unknown, visit: (node: Node & Record<string, unknown>) => void): void {
  if (Array.isArray(node)) for (const each of node) walk(each, visit);
  else if (typeof node === 'object' && node !== null && 'type' in node) {
    visit(node as Node & Record<string, unknown>);
    for (const child of Object.values(node)) walk(child, visit);
  }
}

const scripts = builtScripts();

test('there are scripts to parse, inline ones included', () => {
  expect(scripts.filter(({ isModule }) => isModule).length).toBeGreaterThan(10);
  expect(scripts.filter(({ isModule }) => !isModule).length).toBeGreaterThanOrEqual(3);
});

test.each(scripts)('$name has no newer syntax', ({ code, isModule }) => {
  const sourceType = isModule ? 'module' : 'script';
  const found = new Set<string>();
  walk(parse(code, { ecmaVersion: ECMA_VERSION, sourceType }), (node) => {
    for (const [name, isFound] of Object.entries(TOO_NEW)) if (isFound(node)) found.add(name);
  });
  expect([...found]).toEqual([]);
});
