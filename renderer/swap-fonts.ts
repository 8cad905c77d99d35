/**
 * Lets web fonts in only where they move nothing. The fallback fonts (renderer/fonts/fallbacks.css) take the same room,
 * but a visitor's computer may have none of them, and at some widths a line breaks elsewhere.
 */

/** Browsers count a layout shift from 3 px on. Rounding alone moves words by 1 px. */
const SHIFT_PX = 3;

const range = document.createRange();

/**
 * Adds the fonts, and removes them again if anything in view has moved. Both happen in one task, so the browser paints
 * only the outcome.
 *
 * @returns whether the fonts are in use now
 */
export function swapFonts(fonts: FontFace[]): boolean {
  const nodes = nodesInView();
  const before = nodes.map(boxOf);
  for (const font of fonts) document.fonts.add(font);
  const after = nodes.map(boxOf);
  const anchored = scrollAnchoring(before[0], after[0]);
  const isStill = nodes.every((node, i) => {
    const [from, to] = [before[i], after[i]] as [DOMRect, DOMRect];
    const isLevel = Math.abs(to.y - from.y - anchored) < SHIFT_PX;
    return isLevel && (Math.abs(to.x - from.x) < SHIFT_PX || !startsLine(node));
  });
  if (!isStill) for (const font of fonts) document.fonts.delete(font);
  return isStill;
}

/** Elements and words in view. Skips whole parts out of view, because asking for a place in them would lay them out. */
function nodesInView(): Node[] {
  const nodes: Node[] = [];
  for (const part of document.querySelectorAll('header, main > *, footer')) {
    if (!isInView(part)) continue;
    const walker = document.createTreeWalker(part, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (!node.parentElement?.closest('svg') && isInView(node)) nodes.push(node);
    }
  }
  return nodes;
}

function isInView(node: Node): boolean {
  const { top, bottom } = boxOf(node);
  return bottom > 0 && top < innerHeight;
}

/** The place of an element, or of the first line of a text. Empty for what is not drawn. */
function boxOf(node: Node): DOMRect {
  if (node instanceof Element) return node.getBoundingClientRect();
  range.selectNode(node);
  return range.getClientRects()[0] ?? new DOMRect();
}

/** Inside a line each word moves a little with another font. That is no layout shift. */
function startsLine(node: Node): boolean {
  if (node instanceof Element) return getComputedStyle(node).display !== 'inline';
  return !node.previousSibling && startsLine(node.parentElement as Element);
}

/** Pixels by which the browser will scroll along before it paints, to keep the first thing in view where it is. */
function scrollAnchoring(before?: DOMRect, after?: DOMRect): number {
  const scrollsAlong = scrollY > 0 && CSS.supports('overflow-anchor', 'auto');
  return scrollsAlong && before && after ? after.y - before.y : 0;
}
