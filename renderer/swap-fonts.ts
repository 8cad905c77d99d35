/**
 * Adds web fonts only if they move nothing. The fallback fonts (renderer/fonts/fallbacks.css) take the same room, but
 * a visitor's computer may have none of them, and at some widths a line breaks elsewhere.
 */

/** Browsers count a layout shift from 3 px on. Rounding alone moves words by 1 px. */
const SHIFT_PX = 3;

interface Place {
  x: number;
  y: number;
  isInView: boolean;
}

/**
 * Adds the fonts, and removes them again if anything in view has moved. Both happen in one task, so the browser paints
 * only the outcome.
 *
 * @returns whether the fonts are in use now
 */
export function swapFonts(fonts: FontFace[]): boolean {
  const nodes = nodesInView();
  const before = nodes.map(placeOf);
  for (const font of fonts) document.fonts.add(font);
  const after = nodes.map(placeOf);
  const anchored = scrollAnchoring(before[0], after[0]);
  const isStill = nodes.every((node, i) => {
    const [from, to] = [before[i], after[i]] as [Place, Place];
    const isLevel = Math.abs(to.y - from.y - anchored) < SHIFT_PX;
    return isLevel && (Math.abs(to.x - from.x) < SHIFT_PX || isInsideLine(node));
  });
  if (!isStill) for (const font of fonts) document.fonts.delete(font);
  return isStill;
}

/** Blocks and words in view. Skips whole parts out of view, because asking for a place in them would lay them out. */
function nodesInView(): Node[] {
  const nodes: Node[] = [];
  for (const part of document.querySelectorAll('header, main > *, footer')) {
    if (!placeOf(part).isInView) continue;
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.parentElement?.closest('svg') || isInline(node)) continue;
      if (placeOf(node).isInView) nodes.push(node);
    }
  }
  return nodes;
}

const range = document.createRange();

/** Safari cannot give a fallback font the ascent of ours. There the middle of a line stays, and its top does not. */
const hasAscents = 'ascentOverride' in FontFace.prototype;

/** Position of a block, or of the first line of a text. */
function placeOf(node: Node): Place {
  const isText = !(node instanceof Element);
  if (isText) range.selectNode(node);
  const box = isText ? range.getClientRects()[0] : node.getBoundingClientRect();
  const { x, y, height, bottom } = box ?? new DOMRect();
  const isInView = bottom > 0 && y < innerHeight;
  return { x, y: isText && !hasAscents ? y + height / 2 : y, isInView };
}

const isInline = (node: Node | null): boolean =>
  node instanceof Element && getComputedStyle(node).display === 'inline';

/** Inside a line each word moves a little with another font. That is no layout shift. */
const isInsideLine = (node: Node): boolean =>
  !(node instanceof Element) && Boolean(node.previousSibling ?? isInline(node.parentNode));

/** Pixels by which the browser will scroll along before it paints, to keep the first thing in view where it is. */
function scrollAnchoring(before?: Place, after?: Place): number {
  const scrollsAlong = scrollY > 0 && CSS.supports('overflow-anchor', 'auto');
  return scrollsAlong && before && after ? after.y - before.y : 0;
}
