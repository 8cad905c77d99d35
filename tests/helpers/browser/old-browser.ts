/**
 * APIs that one of the oldest browsers lacks (Safari 15.4, Chrome 100, Firefox 100), or every browser outside secure contexts.
 * Removes them from a newer browser.
 */
import type { Page } from '@playwright/test';

const OF_THE_LANGUAGE = [
  ...['findLast', 'findLastIndex', 'toSorted', 'toReversed', 'toSpliced', 'with'].map(
    (name) => `Array.prototype.${name}`,
  ),
  ...['union', 'intersection', 'difference', 'symmetricDifference'].map(
    (name) => `Set.prototype.${name}`,
  ),
  ...['isSubsetOf', 'isSupersetOf', 'isDisjointFrom'].map((name) => `Set.prototype.${name}`),
  ...['Array.fromAsync', 'Object.groupBy', 'Map.groupBy', 'Promise.withResolvers', 'Promise.try'],
  ...['String.prototype.isWellFormed', 'String.prototype.toWellFormed', 'Iterator'],
  ...['RegExp.escape', 'Error.isError', 'Error.captureStackTrace', 'Intl.Segmenter'],
];
const OF_THE_BROWSER = [
  ...['AbortSignal.any', 'AbortSignal.timeout', 'requestIdleCallback'],
  ...['Navigator.prototype.locks', 'Navigator.prototype.userActivation'],
  ...['cancelIdleCallback', 'scheduler', 'navigation', 'structuredClone', 'URL.parse'],
  ...[
    'URL.canParse',
    'URLSearchParams.prototype.size',
    'Response.json',
    'Crypto.prototype.randomUUID',
  ],
  ...['Navigator.prototype.userAgentData', 'Navigator.prototype.connection'],
  ...['Element.prototype.checkVisibility', 'HTMLElement.prototype.inert'],
  ...['HTMLElement.prototype.showPopover', 'HTMLElement.prototype.popover'],
  ...['Document.prototype.startViewTransition', 'Document.prototype.adoptedStyleSheets'],
  ...['Document.prototype.prerendering', 'PerformanceEventTiming.prototype.interactionId'],
];

export const NEWER_APIS = [...OF_THE_LANGUAGE, ...OF_THE_BROWSER];

/** Removes the APIs with these paths from every page. */
export async function takeAway(page: Page, paths: string[]): Promise<void> {
  await page.addInitScript((all) => {
    for (const path of all) {
      const names = path.split('.');
      const last = names.pop() as string;
      type Owner = Record<string, unknown> | undefined;
      const owner = names.reduce<Owner>((one, name) => one?.[name] as Owner, window as never);
      if (owner) delete owner[last];
      if (owner && last in owner) throw new Error(`${path} is still there`);
    }
  }, paths);
}
