/**
 * The plain object that the inline stub stores as `window.ctaStub`. The page's module reads it when
 * it takes over the clicks (browser/start-delivery.ts).
 */
import type { Click, PageFacts } from './make-click.ts';

/** The localStorage key of an unconfirmed click is this prefix and the click's id. */
export const OUTBOX_PREFIX = 'click:';

export interface StubData extends PageFacts {
  /** The parameters of the page's address, as `readQuery` returns them. */
  query: URLSearchParams;
  /** Clicks that happened before the page's module has loaded. */
  waiting: Click[];
  /**
   * Called with every click. The page's module replaces it with a function that delivers the click
   * until the server confirms it.
   */
  onClick: (click: Click) => void;
}

declare global {
  interface Window {
    /** Set by the inline stub. */
    ctaStub?: StubData;
  }
}
