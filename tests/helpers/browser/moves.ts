/** Records the transitions and animations of a page. */
import type { Page } from '@playwright/test';

type Move = { element: Element; property: string; px: number; at: number };
type Watched = Window & { moves: Move[] };

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
    moves.push({ element, property, px: Math.max(...px), at: performance.now() });
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

/**
 * Returns all recorded moves: the property or animation, the distance in pixels, and the time of
 * its start in milliseconds, as of `performance.now()`.
 */
export const allMoves = (page: Page): Promise<Omit<Move, 'element'>[]> =>
  page.evaluate(() =>
    (window as unknown as Watched).moves.map(({ property, px, at }) => ({ property, px, at })),
  );
