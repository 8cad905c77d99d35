/**
 * Each class of a built page, and each class that a component can get later, has a rule in the
 * style sheets of its page. The theme has no other values than its own (renderer/css/theme.css), so
 * a class outside of it makes no rule.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  classesOf,
  classesWithRule,
  classNamesIn,
  inlineStyles,
  linkedStyles,
} from '../helpers/browser/css-classes.ts';
import { buildSite } from '../helpers/run/build-sites.ts';

/** Classes that have a rule on some pages only, each with the reason. */
const WITHOUT_RULE: Record<string, string> = {
  hook: 'A shape of the signal line. Only the landing page moves it aside; a help page draws it where it stands.',
};
const DISTS = [process.env.DIST_DIR ?? 'dist', await buildSite('tracked'), await buildSite('form')];

function rulesOf(dist: string, html: string): Set<string> {
  const linked = linkedStyles(html).map((path) => readFileSync(join(dist, 'client', path), 'utf8'));
  return classesWithRule([...inlineStyles(html), ...linked]);
}

test.each(DISTS)('each class of every page in %s has a rule', (dist) => {
  const found: Record<string, string> = {};
  const pages = globSync('{client,answers}/**/*.html', { cwd: dist });
  expect(pages.length).toBeGreaterThan(20);
  for (const page of pages) {
    const html = readFileSync(join(dist, page), 'utf8');
    const rules = rulesOf(dist, html);
    const classes = [...classesOf(html)];
    expect(classes.length, page).toBeGreaterThan(10);
    for (const name of classes) if (!rules.has(name)) found[name] = page;
  }
  for (const name of Object.keys(WITHOUT_RULE)) {
    expect(found, 'an exception that no page needs').toHaveProperty([name]);
    delete found[name];
  }
  expect(found).toEqual({});
});

/** With the answers to forms, these are all pages on which components make elements. */
const [dist = ''] = DISTS;
const rules = rulesOf(dist, readFileSync(join(dist, 'client/index.html'), 'utf8'));

test.each(globSync('components/**/*.{ts,tsx}'))(
  'each class that %s can give an element has a rule on the landing page',
  (file) => {
    const classes = classNamesIn(readFileSync(file, 'utf8'));
    expect([...classes].filter((name) => !rules.has(name))).toEqual([]);
  },
);

test('classes are read from each form in which a component may write them', () => {
  const code = `
    const BOX = 'a b';
    const EDGES = { ok: 'c', bad: \`d \${isNew && 'e'}\` };
    const Part = (props) => <p className={\`f \${EDGES[props.kind]} \${props.className}\`.trim()} />;
    const Whole = () => <Part className={isOpen ? BOX : 'g'}><b className="h" /></Part>;
    element.className = isOpen ? 'i' : 'j';`;
  expect([...classNamesIn(code)].sort().join('')).toBe('abcdefghij');
  const part = `<p className={\`p-\${size}\`} />`;
  expect(() => classNamesIn(part)).toThrow('A part of a class: p-');
  const imported = `import { BOX } from './box.ts'; element.className = isOpen ? BOX : 'a';`;
  expect(() => classNamesIn(imported)).toThrow('An imported class: BOX');
});

test('selectors are read as browsers read them', () => {
  const css = `/* .no */ .a:hover>.b,:not(.c){x:url(d.png)} @media (width>=4.5rem){.\\[--to\\:1\\.5rem\\]{y:".e{"}}`;
  expect([...classesWithRule([css])].sort()).toEqual(['[--to:1.5rem]', 'a', 'b', 'c']);
});
