import { describe, expect, test } from 'vitest';
import { shortenClassNames } from '../../build/short-class-names.ts';

const STYLE =
  '<style>.grid{display:grid}.mt-1\\.5{margin-top:.375rem}.lg\\:ml-\\[19\\%\\]{margin-left:19%}.hover\\:grid:hover{gap:.5rem}</style>';
const page = (body: string) =>
  `<!doctype html><html><head>${STYLE}</head><body>${body}</body></html>`;

/** A page's style sheet, and the classes of each of its elements. */
function read(html = '') {
  const css = html.match(/<style>(.*?)<\/style>/s)?.[1] ?? '';
  const classes = [...html.matchAll(/ class="([^"]*)"/g)].map(([, value = '']) => value.split(' '));
  return { css, classes };
}

describe('shortening the names of classes', () => {
  test('an element keeps its rules, under shorter names', () => {
    const [html] = shortenClassNames([page('<p class="mt-1.5 lg:ml-[19%]"></p>')], []);
    const { css, classes } = read(html);
    const [[margin, left] = []] = classes;
    expect(css).toContain(`.${margin}{margin-top:.375rem}`);
    expect(css).toContain(`.${left}{margin-left:19%}`);
    expect(`${margin}${left}`).toMatch(/^[a-z]{2}$/);
    expect(css).toContain('.grid{display:grid}.');
    expect(css).toContain('{gap:.5rem}');
  });

  test('a name that a script contains does not change, in the page and in its style', () => {
    const bodies = [
      '<p class="grid mt-1.5"></p><script>let look="flex grid"</script>',
      '<p class="mt-1.5 grid"></p>',
    ];
    for (const body of bodies) {
      const [html] = shortenClassNames([page(body)], ['const LOOK=`grid hover:grid`']);
      const { css, classes } = read(html);
      expect(classes.flat()).toContain('grid');
      expect(classes.flat()).not.toContain('mt-1.5');
      expect(css).toContain('.grid{display:grid}');
      expect(css).toContain('.hover\\:grid:hover{');
    }
  });

  test('all pages share one style sheet, for one hash in the content security policy', () => {
    const pages = shortenClassNames(
      [page('<p class="grid"></p>'), page('<p class="mt-1.5 grid"></p><b class="grid"></b>')],
      [],
    );
    expect(new Set(pages.map((html) => read(html).css)).size).toBe(1);
  });

  test('no short name is a name that a page already uses', () => {
    const names = Array.from('abcdefghijklmnopqrstuvwxyz');
    const [html] = shortenClassNames(
      [page(`<p class="${names.join(' ')} mt-1.5"></p>`)],
      [`"${names.join(' ')}"`],
    );
    const classes = read(html).classes.flat();
    expect(new Set(classes).size).toBe(27);
    expect(classes.at(-1)).toBe('aa');
  });
});
