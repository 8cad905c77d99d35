/** Walks through a page with the Tab key, as a visitor without a pointer does. */
import type { JSHandle, Page } from '@playwright/test';
import { visiblyChanged } from './image-diff.ts';
import { type PageLook, pageLook } from './page-look.ts';
import { nothingMoves } from './page-waits.ts';

type Stop = NonNullable<Awaited<ReturnType<typeof focusedStop>>>;

/**
 * Presses Tab, or Shift+Tab, until the focus leaves the page.
 *
 * @param isStill whether nothing moves on the page, so that it need not be waited for
 * @returns the controls that had the focus, in that order
 * @throws if the focus does not leave the page
 */
export async function walk(
  page: Page,
  key: 'Tab' | 'Shift+Tab',
  { isStill = false } = {},
): Promise<Stop[]> {
  const MORE_PRESSES_THAN_ANY = 60;
  const stops: Stop[] = [];
  const look = await pageLook(page);
  /** The film counts as one stop, because a script cannot see the browser's own controls in it. */
  let film: Stop | undefined;
  for (let presses = 0; presses < MORE_PRESSES_THAN_ANY; presses++) {
    await page.keyboard.press(key);
    if (!isStill) await nothingMoves(page);
    const stop = await focusedStop(page, look);
    if (stop?.isFilm) {
      // Backwards, the film's controls have the focus first, and the film itself last.
      if (!film || key === 'Shift+Tab') film = stop;
      continue;
    }
    if (film) stops.push(film);
    film = undefined;
    // After the last control, the focus goes to the browser's own UI; in the headless shell, which
    // has none, it goes to the first control again.
    if (!stop || stop.index === stops[0]?.index) return stops;
    stops.push(stop);
  }
  throw new Error(
    `No end after ${MORE_PRESSES_THAN_ANY} presses: ${stops.map(({ label }) => label)}`,
  );
}

/**
 * Describes the control that has the focus: its position in the page, and whether it is outside the
 * view or covered. Returns null if nothing has the focus.
 */
async function focusedStop(page: Page, look: JSHandle<PageLook>) {
  return page.evaluate(({ controls, labelOf }) => {
    const element = document.activeElement as HTMLElement;
    if (element === document.body) return null;
    const rect = element.getBoundingClientRect();
    const faults: string[] = [];
    if (rect.top < 0 || rect.left < 0 || rect.bottom > innerHeight || rect.right > innerWidth) {
      faults.push('not wholly in view');
    }
    // The points to test are 4 px inside, because the outside of a round corner is not the control.
    const INSET = 4;
    for (const line of element.getClientRects()) {
      const xs = [line.left + INSET, line.right - INSET];
      const ys = [line.top + INSET, line.bottom - INSET];
      const points = xs.flatMap((x) => ys.map((y) => [x, y] as const));
      points.push([line.left + line.width / 2, line.top + line.height / 2]);
      for (const [x, y] of points) {
        const hit = document.elementFromPoint(x, y);
        // A label is part of its control, because a click on it activates the control.
        const isOwn = !hit || element.contains(hit) || hit.closest('label')?.contains(element);
        if (!isOwn) faults.push(`covered by ${hit.tagName}.${hit.className}`);
      }
    }
    const AREAS = 'header, main, main section, footer';
    const area = element.closest(AREAS);
    return {
      /** Index of the header, section or footer around the control; -1: none. */
      area: area ? [...document.querySelectorAll(AREAS)].indexOf(area) : -1,
      isFilm: element.tagName === 'VIDEO',
      /** Index among the page's controls in document order; -1: it is not one of them. */
      index: controls().indexOf(element),
      label: labelOf(element),
      top: rect.top + scrollY,
      bottom: rect.bottom + scrollY,
      left: rect.left,
      right: rect.right,
      faults: [...new Set(faults)],
    };
  }, look);
}

/**
 * Finds neighbouring stops whose focus order contradicts the visual order: the later one is above
 * the earlier one, or left of it in the same row. Within an area, a stop that is above and to the
 * right is allowed, because it begins the next column. The skip link, the first stop, is left out.
 */
export function outOfVisualOrder([, ...stops]: Stop[]): string[] {
  return stops.slice(1).flatMap((stop, i) => {
    const before = stops[i] as Stop;
    const isNextColumn = stop.area === before.area && stop.left >= before.right;
    const isAbove = stop.bottom <= before.top && !isNextColumn;
    const isSameRow = stop.top < before.bottom && before.top < stop.bottom;
    const isLeft = isSameRow && stop.left < before.left;
    return isAbove || isLeft ? [`"${before.label}" comes before "${stop.label}"`] : [];
  });
}

/**
 * Returns the kind of each control, so that a test measures one control of each kind. Controls of
 * one kind have the same ancestors' names and the same classes, and so the same style. Runs in the
 * page.
 */
export function controlKinds(controls: Element[]): string[] {
  return controls.map((control) => {
    const names: string[] = [];
    for (let at: Element | null = control; at; at = at.parentElement) names.push(at.tagName);
    return `${names.join(' < ')} ${control.className}`;
  });
}

/**
 * Compares screenshots of the focused control with and without its focus.
 *
 * @returns `changed`: number of visibly different pixels; `needed`: the least number, a border of
 * 2 px around the control (WCAG 2.4.13)
 */
export async function focusChange(page: Page) {
  await nothingMoves(page);
  const MARGIN = 12;
  const box = await page.locator(':focus').boundingBox();
  if (!box) throw new Error('Nothing has the focus');
  const x = Math.max(0, box.x - MARGIN);
  const y = Math.max(0, box.y - MARGIN);
  const clip = { x, y, width: box.width + 2 * MARGIN, height: box.height + 2 * MARGIN };
  const focused = await page.screenshot({ clip });
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await nothingMoves(page);
  const changed = visiblyChanged(await page.screenshot({ clip }), focused);
  return { changed, needed: 2 * 2 * (box.width + box.height) };
}
