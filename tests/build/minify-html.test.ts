import { describe, expect, test } from 'vitest';
import { minifyHtml } from '../../build/minify-html.ts';

test('leaves out slashes of void elements, closing tags of shapes, empty values, and lines between elements', () => {
  const drawing =
    '<svg viewBox="0 0 9 9"><g><path d="M0 0"></path><rect width="9"></rect></g></svg>';
  expect(minifyHtml('<img alt="" data-reveal="" src="a"/>')).toBe('<img alt data-reveal src="a">');
  expect(minifyHtml(`<meta name="a"/>\n<p>One<br/>two</p>\n${drawing}`)).toBe(
    '<meta name="a"><p>One<br>two</p><svg viewBox="0 0 9 9"><g><path d="M0 0"/><rect width="9"/></g></svg>',
  );
});

describe('keeps', () => {
  test.each([
    '<script>const a = "<br/>";\n</script>',
    '<style>a{}\n</style>',
    '<p>One\n<b>two</b></p>',
    '<template data-module="/a.js"></template>',
  ])('%s', (html) => expect(minifyHtml(html)).toBe(html));
});
