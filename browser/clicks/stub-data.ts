/** Plain data that the inline stub leaves in the window. The pipeline takes over from the stub. */
import type { Click, PageFacts } from './make-click.ts';

/** Prefix of the localStorage key of an undelivered click, before the click's id. */
export const OUTBOX_PREFIX = 'click:';

export interface StubData extends PageFacts {
  /** The parameters of the page's address, as `readQuery` returns them. */
  query: URLSearchParams;
  /** Clicks that wait for the pipeline. */
  waiting: Click[];
  /** Replaced by the pipeline, which from then on gets every click directly. */
  onClick: (click: Click) => void;
}

declare global {
  interface Window {
    /** Set by the inline stub. */
    ctaStub?: StubData;
  }
}
