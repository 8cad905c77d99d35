import { describe, expect, test } from 'vitest';
import { withoutUnusedVariables } from '../../build/unused-variables.ts';

const page = (css: string, body = '') => `<head><style>${css}</style></head><body>${body}</body>`;

describe('removing custom properties that a page never reads', () => {
  test('removes them in every rule, also those that only a removed one has read', () => {
    const css =
      ':root{--ink:#000;--far:var(--near);--near:1px}@media print{:root{--near:0;--ink:#111}}p{color:var(--ink)}';
    expect(withoutUnusedVariables(page(css), [])).toBe(
      page(':root{--ink:#000;}@media print{:root{--ink:#111}}p{color:var(--ink)}'),
    );
  });

  test('keeps what another variable, a fallback, the markup or a script reads', () => {
    const css =
      ':root{--a:1;--b:var(--a);--c:2;--d:3;--e:4;--ab:5}p{margin:var(--x,var(--b));top:var( --c )}';
    const body = '<svg><path fill="var(--d)"/></svg>';
    const lean = withoutUnusedVariables(page(css, body), ['style.getPropertyValue("--e")']);
    expect(lean).toBe(page(css.replace('--ab:5', ''), body));
  });

  test('writes the fallback of a Tailwind variable that nothing sets', () => {
    const css =
      'p{line-height:var(--tw-leading,1.2)}b{--tw-set:1;top:var(--tw-set,2)}i{left:var(--tw-js,3)}';
    expect(withoutUnusedVariables(page(css), ['style.setProperty("--tw-js",4)'])).toBe(
      page(css.replace('var(--tw-leading,1.2)', '1.2')),
    );
  });

  test('leaves selectors and values alone', () => {
    const css = '.a--b:hover{color:red}.c\\:--d{content:"--e:f"}p{animation:light-up 1s}';
    expect(withoutUnusedVariables(page(css), [])).toBe(page(css));
  });
});
