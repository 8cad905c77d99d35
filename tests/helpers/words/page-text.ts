/** Reads the text of a prerendered page, in blocks such as paragraphs and list items. */
import { parseHTML } from 'linkedom';
import { wordsOf } from './reading-level.ts';

const UNSEEN = 'svg, script, style, template, noscript, [hidden], [aria-hidden="true"]';
const BLOCKS =
  'h1, h2, h3, h4, p, li, dt, dd, td, th, caption, figcaption, summary, legend, label, div, section';
const HEADINGS = new Set(['h1', 'h2', 'h3', 'h4', 'dt', 'summary', 'caption', 'legend']);

/** Reads the visible text of a page's `<main>`. @throws if the page has none */
export function pageText(html: string) {
  const { document } = parseHTML(html);
  const main = document.querySelector('main');
  if (!main) throw new Error('The page has no <main>.');
  for (const unseen of main.querySelectorAll(UNSEEN)) unseen.remove();
  const blocks = [...main.querySelectorAll(BLOCKS)]
    .map(toBlock)
    .filter(({ text }) => wordsOf(text).length > 0);
  const lists = [...main.querySelectorAll('ul, ol')].filter((list) => !list.closest('nav'));
  return {
    blocks,
    /** Number of items of each list outside the navigation. */
    lists: lists.map((list) => list.querySelectorAll(':scope > li').length),
    /** The blocks outside the navigation, one a line. */
    text: blocks
      .filter(({ isInNav }) => !isInNav)
      .map(({ text }) => text)
      .join('\n'),
  };
}

type Block = ReturnType<typeof toBlock>;

function toBlock(element: Element) {
  const tag = element.tagName.toLowerCase();
  return {
    /** Name of the element in lower case: `p`, `li`, `h2`. */
    tag,
    text: ownText(element).replace(/\s+/g, ' ').trim(),
    /**
     * Whether the block is the heading of what follows: a heading, a term, a summary, a caption, or
     * the link of a list item that also has a paragraph.
     */
    isHeading: HEADINGS.has(tag) || (tag === 'li' && element.querySelector('p') !== null),
    isInTable: element.closest('table') !== null,
    isInNav: element.closest('nav') !== null,
  };
}

/** Returns the text of an element, without the text of blocks inside of it. */
function ownText(element: Element): string {
  const parts = [...element.childNodes].map((node) => {
    if (node.nodeType === node.TEXT_NODE) return node.textContent ?? '';
    if (node.nodeType !== node.ELEMENT_NODE || (node as Element).matches(BLOCKS)) return ' ';
    return ownText(node as Element);
  });
  return parts.join('');
}

/**
 * Returns the number of words between each heading and the next one. Tables are left out, because
 * their cells have headings of their own.
 */
export function wordsPerHeading(blocks: readonly Block[]): { heading: string; words: number }[] {
  const chunks: { heading: string; words: number }[] = [];
  for (const { text, isHeading, isInTable, isInNav } of blocks) {
    if (isHeading) chunks.push({ heading: text, words: 0 });
    const chunk = chunks.at(-1);
    if (chunk && !isHeading && !isInTable && !isInNav) chunk.words += wordsOf(text).length;
  }
  return chunks;
}

/** Returns the text of HTML, without tags, scripts and styles, with single spaces. */
export function textOf(html: string): string {
  return html
    .replace(/<(script|style|svg)[\s>].*?<\/\1>/gs, ' ')
    .replace(/<\/?(?:p|h\d|li|div|dt|dd|figcaption|section|br)\b[^>]*>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .replace(/&amp;/g, '&')
    .replace(/&#x27;/g, "'")
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}
