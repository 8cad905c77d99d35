/** Where the signal line is. */
import type { Page } from '@playwright/test';

/** A step's number covers the gap of 1rem above it. Successive pieces are never next to each other. */
export function faultBetween(before: Piece, piece: Piece): string {
  const gap = Math.round(piece.startY - before.endY);
  const aside = Math.round(Math.abs(piece.startX - before.endX));
  const isOneLine = gap >= -2 && gap <= 18 && aside <= 4;
  return isOneLine ? '' : `${before.name}, ${piece.name}: gap ${gap} px, aside ${aside} px`;
}

export interface Piece {
  name: string;
  startX: number;
  startY: number;
  endX: number;
  endY: number;
}

/** Where each visible piece of the line starts and ends in the page, in CSS pixels, from top to bottom. */
export function linePieces(page: Page): Promise<Piece[]> {
  return page.evaluate(() => {
    const pieces = [...document.querySelectorAll<SVGElement>('svg[preserveAspectRatio=none]')]
      .filter((line) => line.checkVisibility())
      .map((line) => {
        const path = line.querySelector('path') as SVGPathElement;
        const matrix = path.getScreenCTM() as DOMMatrix;
        const placeAt = (length: number) => path.getPointAtLength(length).matrixTransform(matrix);
        const start = placeAt(0);
        const end = placeAt(path.getTotalLength());
        const [top, bottom] = start.y < end.y ? [start, end] : [end, start];
        return {
          name: `${line.parentElement?.className} > ${line.getAttribute('class')}`,
          startX: top.x,
          startY: top.y + scrollY,
          endX: bottom.x,
          endY: bottom.y + scrollY,
        };
      });
    return pieces.sort((a, b) => a.startY - b.startY || a.endY - b.endY);
  });
}
