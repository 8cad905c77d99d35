/** Runs axe on a page. The result has one line for each faulty element. */
import type { Page } from '@playwright/test';
import axe from 'axe-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules that a default run of axe leaves out, because they are AAA, new or experimental. */
const EXTRA_RULES = [
  'target-size',
  'color-contrast-enhanced',
  'identical-links-same-purpose',
  'css-orientation-lock',
  'label-content-name-mismatch',
];

const OPTIONS: axe.RunOptions = {
  runOnly: { type: 'tag', values: TAGS },
  rules: Object.fromEntries(EXTRA_RULES.map((rule) => [rule, { enabled: true }])),
  resultTypes: ['violations', 'incomplete'],
};

/** HTML of elements whose contrast axe cannot compute, and which people have checked. */
const UNDECIDED_ALLOWED = [
  // axe takes the browser's radio button for an image. Its text is beside it.
  /<input type="radio"/,
  // The number of a step, and arrows or ticks that have the colour of the text beside them.
  /aria-hidden="true">\s?[\d↓✓–]<\/span>/,
  // Numbers of the report and texts in its chart have the colours of the page's other text.
  /^<td class="(visits|clicks|r|up|dn)"|^<text /,
];

/** Returns axe's violations, and the contrasts that axe cannot decide unless they are allowed. */
export async function axeComplaints(page: Page): Promise<string[]> {
  if (await page.evaluate(() => !('axe' in window))) await page.evaluate(axe.source);
  const { violations, incomplete } = await page.evaluate(
    (options) => (window as unknown as { axe: typeof axe }).axe.run(options),
    OPTIONS,
  );
  const undecided = incomplete
    .filter(({ id }) => id.startsWith('color-contrast'))
    .flatMap(({ id, nodes }) =>
      nodes
        .filter(({ html }) => !UNDECIDED_ALLOWED.some((allowed) => allowed.test(html)))
        .map(({ html, any }) => `${id} (undecided): ${html} ${any[0]?.message ?? ''}`),
    );
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
  return [...found, ...undecided];
}
