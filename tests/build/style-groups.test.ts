import { expect, test } from 'vitest';
import { groupByStyle } from '../../build/style-groups.ts';

const page = (style: string, script: string) =>
  `<style>${style}</style><template data-module="/assets/${script}"></template>`;

test('pages with one style sheet are a group, with the scripts that they can load and no other', () => {
  const pages = new Map([
    ['index.html', page('a{}', 'landing.js')],
    ['es/index.html', page('a{}', 'landing.js')],
    ['404.html', '<style>a{}</style>'],
    ['help/index.html', page('b{}', 'help.js')],
  ]);
  const scripts = new Map([
    ['assets/landing.js', 'import("./chunks/island.js")'],
    ['assets/chunks/island.js', 'import "./react.js"'],
    ['assets/chunks/react.js', 'react()'],
    ['assets/help.js', 'help()'],
  ]);
  const groups = groupByStyle(pages, scripts);
  expect(groups.map((group) => group.pages)).toEqual([
    ['index.html', 'es/index.html', '404.html'],
    ['help/index.html'],
  ]);
  expect(groups[0]?.scripts.sort()).toEqual([
    'import "./react.js"',
    'import("./chunks/island.js")',
    'react()',
  ]);
  expect(groups[1]?.scripts).toEqual(['help()']);
});
