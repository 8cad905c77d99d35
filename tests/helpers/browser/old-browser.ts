/** Makes a new browser behave like the oldest supported ones, by removing APIs that these lack. */
import type { Page } from '@playwright/test';

/**
 * APIs that Safari 15.4, Chrome 100 or Firefox 100 lacks, or every browser on a page without https.
 */
export const NEWER_APIS = [
  ...['findLast', 'toSorted', 'toReversed', 'toSpliced', 'with'].map(
    (name) => `Array.prototype.${name}`,
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

/** Removes APIs, given by their paths from `window`, from every page that the tab opens. */
export async function removeApis(page: Page, paths: string[]): Promise<void> {
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
