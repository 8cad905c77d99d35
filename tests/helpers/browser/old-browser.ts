/**
 * APIs that one of the oldest browsers lacks (Safari 15.4, Chrome 100, Firefox 100), or every
 * browser outside secure contexts. Removes them from a newer browser.
 */
import type { Page } from '@playwright/test';

export const NEWER_APIS = [
  ...['findLast', 'toSorted', 'toReversed', 'toSpliced', 'with'].map(
    (it) => `Array.prototype.${it}`,
  ),
  ...['union', 'difference', 'isSubsetOf'].map((name) => `Set.prototype.${name}`),
  'Array.fromAsync',
  'Object.groupBy',
  'Map.groupBy',
  'Promise.withResolvers',
  'Promise.try',
  'String.prototype.isWellFormed',
  'String.prototype.toWellFormed',
  'Iterator',
  'RegExp.escape',
  'AbortSignal.any',
  'AbortSignal.timeout',
  'requestIdleCallback',
  'cancelIdleCallback',
  'Navigator.prototype.locks',
  'Navigator.prototype.userActivation',
  'scheduler',
  'navigation',
  'structuredClone',
  'URL.parse',
  'URL.canParse',
  'URLSearchParams.prototype.size',
  'Response.json',
  'Crypto.prototype.randomUUID',
  'Navigator.prototype.userAgentData',
  'Element.prototype.checkVisibility',
  'HTMLElement.prototype.inert',
  'Intl.Segmenter',
  'HTMLElement.prototype.showPopover',
  'Document.prototype.startViewTransition',
  'Document.prototype.prerendering',
  'PerformanceEventTiming.prototype.interactionId',
];

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
