/** Walks through a page with the Tab key, as a visitor without a pointer does. */
import type { JSHandle, Page } from '@playwright/test';
import { visiblyChanged } from './image-diff.ts';
import { type PageLook, pageLook } from './page-look.ts';
import { calm } from './page-waits.ts';

type Stop = NonNullable<Awaited<ReturnType<typeof focusedStop>>>;

/**
 * Presses Tab, or Shift+Tab, until the focus leaves the page. A page that `isStill` has no film,
 * and nothing moves by itself.
 */
export async function walk(
  page: Page,
  key: 'Tab' | 'Shift+Tab',
  { isStill = false } = {},
): Promise<Stop[]> {
  const MORE_PRESSES_THAN_ANY = 60;
  const stops: Stop[] = [];
  const look = await pageLook(page);
  /**
   * The film is one stop, because no script can tell its controls apart: they are the browser's
   * own.
   */
  let film: Stop | undefined;
  for (let presses = 0; presses < MORE_PRESSES_THAN_ANY; presses++) {
    await page.keyboard.press(key);
    if (!isStill) await calm(page);
    const stop = await focusedStop(page, look);
    if (stop?.isFilm) {
      // The film itself has the focus before its controls, so on the way back it comes last.
      if (!film || key === 'Shift+Tab') film = stop;
      continue;
    }
    if (film) stops.push(film);
    film = undefined;
    // After the last control the focus is in the browser's own UI. Without one, it is on the first
    // control again.
    if (!stop || stop.index === stops[0]?.index) return stops;
    stops.push(stop);
  }
  throw new Error(
    `No end after ${MORE_PRESSES_THAN_ANY} presses: ${stops.map(({ label }) => label)}`,
  );
}

/**
 * Describes the control that has the focus, with its place in the page, and the faults of its
 * visibility; null: none has.
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
    const INSET = 4; // A round corner is outside of the control.
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
      /** The part of the page around it: a header, a section, the footer. */
      area: area ? [...document.querySelectorAll(AREAS)].indexOf(area) : -1,
      isFilm: element.tagName === 'VIDEO',
      /** Among the page's controls in document order; -1: not one of them. */
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
 * Pairs of stops of which the later is wholly above the earlier, or left of it in the same row.
 * Within an area, a stop that is above and wholly to the right begins the next column. The skip
 * link is left out, because it covers the others while it has the focus.
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
 * Names the kind of each control. Controls of one kind have the same classes, below elements of the
 * same names, and so the same style and behaviour. Runs in the page.
 */
export function controlKinds(controls: Element[]): string[] {
  return controls.map((control) => {
    const names: string[] = [];
    for (let at: Element | null = control; at; at = at.parentElement) names.push(at.tagName);
    return `${names.join(' < ')} ${control.className}`;
  });
}

/** Takes pictures of the focused control with and without its focus. */
export async function focusChange(page: Page) {
  await calm(page);
  const MARGIN = 12;
  const box = await page.locator(':focus').boundingBox();
  if (!box) throw new Error('Nothing has the focus');
  const x = Math.max(0, box.x - MARGIN);
  const y = Math.max(0, box.y - MARGIN);
  const clip = { x, y, width: box.width + 2 * MARGIN, height: box.height + 2 * MARGIN };
  const focused = await page.screenshot({ clip });
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await calm(page);
  const changed = visiblyChanged(await page.screenshot({ clip }), focused);
  return { changed, needed: 2 * 2 * (box.width + box.height) };
}
