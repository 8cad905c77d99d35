/** Finds colours that are too weak for a visitor who asks for more contrast. */
import type { Page } from '@playwright/test';
import { type PageLook, pageLook } from './page-look.ts';
import { calm } from './page-steps.ts';

/** Words below 7:1, borders below 3:1, and elements that the ground shines through, in both colour schemes. */
export async function weakColours(page: Page): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ contrast: 'more', colorScheme });
    await calm(page);
    const found = await page.evaluate(palette, await pageLook(page));
    faults.push(...found.map((fault) => `${colorScheme}: ${fault}`));
  }
  return faults;
}

/** Runs in the page. */
function palette(look: PageLook): string[] {
  const { texts, isShown, parse, backgroundOf, contrast } = look;
  const pale = texts().flatMap(({ text, element }) => {
    const ratio = contrast(parse(getComputedStyle(element).color), backgroundOf(element));
    return ratio < 7 ? [`${ratio.toFixed(2)} "${text}"`] : [];
  });
  const faint: string[] = [];
  const translucent: string[] = [];
  for (const element of [...document.querySelectorAll('body *')].filter(isShown)) {
    const name = `${element.tagName}.${element.getAttribute('class')}`;
    const style = getComputedStyle(element);
    if (style.opacity !== '1') translucent.push(`${name}: opacity ${style.opacity}`);
    for (const color of [style.color, style.backgroundColor]) {
      const [, , , alpha] = parse(color);
      if (alpha > 0 && alpha < 1) translucent.push(`${name}: ${color}`);
    }
    if (element.closest('svg')) continue;
    for (const side of ['Top', 'Right', 'Bottom', 'Left'] as const) {
      if (Number.parseFloat(style[`border${side}Width`]) === 0) continue;
      const line = parse(style[`border${side}Color`]);
      const ground = backgroundOf(element.parentElement);
      const ratio = Math.max(contrast(line, ground), contrast(line, backgroundOf(element)));
      if (line[3] > 0 && ratio < 3) faint.push(`${ratio.toFixed(2)} ${name}: ${side}`);
    }
  }
  return [...pale, ...faint, ...translucent];
}
