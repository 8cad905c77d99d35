/** The Markdown of the help pages: settings and conditions. */
import { describe, expect, test } from 'vitest';
import { readHelp } from '#words/read-help.ts';

const page = (sections: string) => `# Title\n\nLead of {name}.\n\n${sections}`;
const htmlOf = (markdown: string, settings = {}) =>
  readHelp(page(markdown), { name: 'Org', ...settings }).sections.map(({ html }) => html.trim());

describe('a setting', () => {
  test('stands in the text as it is, also with signs of Markdown and HTML', () => {
    const name = '*A* _B_ <b> & "C" `D` $& {name} [E](F)';
    const text = '{name}: [{name}](mailto:{mail}), `{name}`';
    const [html = ''] = htmlOf(`## One {#one}\n\n${text}`, { name, mail: '"a"@b.example' });
    const shown = '*A* _B_ &#60;b&#62; &#38; &#34;C&#34; `D` $&#38; {name} [E](F)';
    expect(html).toBe(
      `<p>${shown}: <a href="mailto:&#34;a&#34;@b.example">${shown}</a>, <code>${shown}</code></p>`,
    );
    expect(readHelp(page(''), { name }).lead).toBe(`Lead of ${name}.`);
  });

  test('that is unknown or not set stops the build', () => {
    for (const word of ['{nmae}', '{if nmae} A', '[a]({nmae})'])
      expect(() => htmlOf(`## One\n\n${word}`)).toThrow('"nmae", which is no setting');
    expect(() => htmlOf('## One\n\n{host}', { host: null })).toThrow('"host", which is null');
    for (const wrong of ['A {If on} B', '- {if on} C', 'D {#two}'])
      expect(() => htmlOf(`## One\n\n${wrong}`, { on: true })).toThrow('which is no setting');
    expect(() => htmlOf('## One {#a b}\n\nA')).toThrow('"#a b", which is no setting');
  });
});

test('a link that is a paragraph of its own has a class, and a link in a sentence has none', () => {
  const [html] = htmlOf('## One\n\n[A](/a/)\n\nSee [B](/b/).');
  expect(html).toBe('<p class="alone"><a href="/a/">A</a></p><p>See <a href="/b/">B</a>.</p>');
});

test('a line with a condition is there only if the setting is so, and takes no other line along', () => {
  const list = '## One\n\n- A\n{if on} - B\n{if not on} - C\n{if mode=full} {if on} - D\n- E';
  const letters = (settings: object) => htmlOf(list, settings)[0]?.match(/[A-E]/g)?.join('');
  expect(letters({ on: true, mode: 'full' })).toBe('ABDE');
  expect(letters({ on: null, mode: 'full' })).toBe('ACE');
  expect(letters({ on: 'x', mode: 'none' })).toBe('ABE');
  expect(htmlOf(list, { on: 0, mode: '' })[0]).not.toContain('<p>');
});
