/** Records what moves on a page. */
import type { Page } from '@playwright/test';

type Watched = Window & { moves: { element: Element; property: string; px: number }[] };

/** Runs before the page. Records every transition and animation of the visit. */
export function watchMoves(): void {
  const moves: Watched['moves'] = [];
  Object.assign(window, { moves });
  const record = (element: Element, property: string) => {
    const px = getComputedStyle(element)
      .translate.split(' ')
      .map((part) => Math.abs(Number.parseFloat(part) || 0));
    moves.push({ element, property, px: Math.max(...px) });
  };
  document.addEventListener('transitionrun', ({ target, propertyName }) => {
    if (propertyName !== 'background-color') record(target as Element, propertyName);
  });
  document.addEventListener('animationstart', ({ target, animationName }) => {
    // The road follows the scrolling, and does not move by itself.
    if (animationName !== 'road') record(target as Element, animationName);
  });
}

/** How often each visible element that the selector matches has moved. */
export const timesMoved = (page: Page, selector: string): Promise<number[]> =>
  page.evaluate((selector) => {
    const { moves } = window as unknown as Watched;
    return [...document.querySelectorAll(selector)]
      .filter((element) => element.checkVisibility())
      .map((element) => moves.filter((move) => move.element === element).length);
  }, selector);

export const allMoves = (page: Page): Promise<{ property: string; px: number }[]> =>
  page.evaluate(() =>
    (window as unknown as Watched).moves.map(({ property, px }) => ({ property, px })),
  );
