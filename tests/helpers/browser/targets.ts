/** Measures what a visitor presses: the size of each target, and the distance between them. */
import type { Locator, Page } from '@playwright/test';
import { pageLook } from './page-look.ts';

const MIN_TARGET_PX = 44;
const MIN_GAP_PX = 8;
const MIN_EDGE_PX = 16;
const CTA_HEIGHT_PX = 56;
/** Up to this width a call to action is as wide as the text. */
const PHONE_PX = 480;

interface Target {
  label: string;
  /** Covers the page for a moment, outside its flow. */
  floats: boolean;
  rect: { x: number; y: number; width: number; height: number };
}

/** The controls, each small box together with its label. Links inside a sentence are left out, as in WCAG 2.5.5. */
export async function targetsOf(page: Page): Promise<Target[]> {
  const look = await pageLook(page);
  return page.evaluate(({ controls, labelOf, isShown }) => {
    const isInSentence = (element: HTMLElement): boolean => {
      if (getComputedStyle(element).display !== 'inline') return false;
      const block = element.parentElement?.closest('p, li, dd, td, figcaption');
      return (block?.textContent?.trim().length ?? 0) > (element.textContent?.trim().length ?? 0);
    };
    const radios = document.querySelectorAll<HTMLElement>('input[type=radio]');
    const all = new Set([...controls(), ...[...radios].filter(isShown)]);
    return [...all]
      .filter((element) => !element.matches('[data-skip], [tabindex="0"]'))
      .filter((element) => !isInSentence(element))
      .map((element) => {
        const isSmallBox = element.matches('[type=radio], [type=checkbox]');
        const target = (isSmallBox && element.closest('label')) || element;
        const { x, y, width, height } = target.getBoundingClientRect();
        const floats = element.closest('[data-toast]') !== null;
        return {
          label: labelOf(target),
          floats,
          rect: { x, y: y + (floats ? 0 : scrollY), width, height },
        };
      });
  }, look);
}

/** Targets that are too small, too close to another one, or too close to the edge of a page of that width. */
export function targetFaults(targets: Target[], pageWidth: number): string[] {
  const faults = targets.flatMap(({ label, rect: { x, width, height } }) => {
    const size = `${label}: ${Math.round(width)} × ${Math.round(height)} px`;
    const edge = Math.min(x, pageWidth - x - width);
    return [
      ...(Math.min(width, height) < MIN_TARGET_PX ? [size] : []),
      ...(edge < MIN_EDGE_PX ? [`${label}: ${edge} px from the edge`] : []),
    ];
  });
  return [...faults, ...tooClose(targets)];
}

function tooClose(targets: Target[]): string[] {
  return targets.flatMap((one, i) =>
    targets.slice(i + 1).flatMap((other) => {
      if (one.floats !== other.floats) return [];
      const across = gap(one.rect.x, one.rect.width, other.rect.x, other.rect.width);
      const down = gap(one.rect.y, one.rect.height, other.rect.y, other.rect.height);
      const apart = Math.max(across, down);
      return apart < MIN_GAP_PX ? [`${one.label} | ${other.label}: ${apart} px`] : [];
    }),
  );
}

const gap = (start: number, size: number, otherStart: number, otherSize: number): number =>
  Math.max(otherStart - start - size, start - otherStart - otherSize);

/** Links to write or call whose middle is too low to press. Other links in sentences have no minimal size. */
export async function mailFaults(page: Page): Promise<string[]> {
  const links = page.locator('main a:is([href^="mailto:"], [href^="tel:"])');
  const faults: string[] = [];
  for (const link of await links.all()) {
    const height = await link.evaluate(pressableHeight);
    if (height < MIN_TARGET_PX) faults.push(`${await link.textContent()}: ${height} px high`);
  }
  return faults;
}

/** Runs in the page. Returns how many CSS pixels of a link's middle, from top to bottom, a press would hit. */
function pressableHeight(link: Element): number {
  link.scrollIntoView({ block: 'center' });
  const [first] = link.getClientRects();
  if (!first) return 0;
  const { x, y, width, height } = first;
  const rows = Array.from({ length: Math.floor(height) }, (_, row) => y + row + 0.5);
  return rows.filter((row) => link.contains(document.elementFromPoint(x + width / 2, row))).length;
}

/** A call to action that is too low, or on a phone not as wide as the text. */
export async function ctaFaults(cta: Locator, pageWidth: number): Promise<string[]> {
  const { width, height } = (await cta.boundingBox()) ?? { width: 0, height: 0 };
  const low = height < CTA_HEIGHT_PX ? [`${height} px high`] : [];
  if (pageWidth > PHONE_PX) return low;
  const room = await cta.evaluate(roomFor);
  const isNarrow = Math.abs(width - room) > 0.5 || width < pageWidth * 0.75;
  return isNarrow ? [...low, `${width} px wide of ${room} at ${pageWidth} px`] : low;
}

/** The width that a box's parent has for it. */
function roomFor(element: Element): number {
  const parent = element.parentElement as Element;
  const { paddingLeft, paddingRight } = getComputedStyle(parent);
  return parent.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
}
