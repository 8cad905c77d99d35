/**
 * Measures targets, the areas that a visitor presses: their sizes, and the distances between them.
 */
import type { Page } from '@playwright/test';
import { pageLook } from './page-look.ts';

/**
 * Finds targets below 44 px, closer than 8 px to another one, or closer than 16 px to the edge of
 * the window; and calls to action below 56 px, or on a phone not as wide as the text. A radio
 * button or checkbox counts together with its label. Links inside a sentence are left out (WCAG
 * 2.5.5).
 */
export async function targetFaults(page: Page): Promise<string[]> {
  const look = await pageLook(page);
  return page.evaluate(({ controls, labelOf, isShown }) => {
    const [MIN_PX, GAP_PX, EDGE_PX, CTA_PX, PHONE_PX] = [44, 8, 16, 56, 480];
    const isInSentence = (element: HTMLElement): boolean => {
      if (getComputedStyle(element).display !== 'inline') return false;
      const block = element.parentElement?.closest('p, li, dd, td, figcaption');
      return (block?.textContent?.trim().length ?? 0) > (element.textContent?.trim().length ?? 0);
    };
    const radios = document.querySelectorAll<HTMLElement>('input[type=radio]');
    const targets = [...new Set([...controls(), ...[...radios].filter(isShown)])]
      .filter((element) => !element.matches('[data-skip], [tabindex="0"]'))
      .filter((element) => !isInSentence(element))
      .map(
        (element) =>
          (element.matches('[type=radio], [type=checkbox]') && element.closest('label')) || element,
      );
    const gap = (start: number, end: number, otherStart: number, otherEnd: number) =>
      Math.max(otherStart - end, start - otherEnd);
    const faults: string[] = [];
    for (const [i, target] of targets.entries()) {
      const name = labelOf(target);
      const one = target.getBoundingClientRect();
      const size = `${name}: ${Math.round(one.width)} × ${Math.round(one.height)} px`;
      if (Math.min(one.width, one.height) < MIN_PX) faults.push(size);
      if (Math.min(one.left, innerWidth - one.right) < EDGE_PX) faults.push(`${name} at the edge`);
      for (const next of targets.slice(i + 1)) {
        // A toast lies over the page for some seconds, so its distance to targets below is not one.
        if (Boolean(target.closest('[data-toast]')) !== Boolean(next.closest('[data-toast]')))
          continue;
        const other = next.getBoundingClientRect();
        const across = gap(one.left, one.right, other.left, other.right);
        const apart = Math.max(across, gap(one.top, one.bottom, other.top, other.bottom));
        if (apart < GAP_PX) faults.push(`${name} | ${labelOf(next)}: ${apart} px`);
      }
      if (!target.matches('[data-cta]')) continue;
      if (one.height < CTA_PX) faults.push(size);
      const { paddingLeft, paddingRight } = getComputedStyle(target.parentElement as Element);
      const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
      const room = (target.parentElement?.clientWidth ?? 0) - padding;
      const isNarrow = Math.abs(one.width - room) > 0.5 || one.width < innerWidth * 0.75;
      if (innerWidth <= PHONE_PX && isNarrow) faults.push(`${size} of ${room}`);
    }
    return faults;
  }, look);
}
