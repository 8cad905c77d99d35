/** Records the transitions and animations of a page. */
import type { Page } from '@playwright/test';

type Watched = Window & { moves: { element: Element; property: string; px: number }[] };

/**
 * Starts the recording. Runs in the page, before its own scripts. Changes of a background colour
 * are left out.
 */
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
    // The signal line's animation follows the scrolling, and does not move by itself.
    if (animationName !== 'road') record(target as Element, animationName);
  });
}

/** Returns how often each visible element of a selector has moved, in document order. */
export const timesMoved = (page: Page, selector: string): Promise<number[]> =>
  page.evaluate((selector) => {
    const { moves } = window as unknown as Watched;
    return [...document.querySelectorAll(selector)]
      .filter((element) => element.checkVisibility())
      .map((element) => moves.filter((move) => move.element === element).length);
  }, selector);

/** Returns all recorded moves: the property or animation, and the distance in pixels. */
export const allMoves = (page: Page): Promise<{ property: string; px: number }[]> =>
  page.evaluate(() =>
    (window as unknown as Watched).moves.map(({ property, px }) => ({ property, px })),
  );
