/** Plain data that the inline stub and the pipeline share, because the pipeline takes over from the stub. */
import type { Click, PageFacts } from './make-click.ts';

/** Prefix of the localStorage key of an undelivered click, before the click's id. */
export const OUTBOX_PREFIX = 'click:';

export interface Capture extends PageFacts {
  /** Clicks that wait for the pipeline. */
  waiting: Click[];
  /** Set by the pipeline, which from then on gets every click directly. */
  onClick?: (click: Click) => void;
}

declare global {
  interface Window {
    /** Set by the inline stub. */
    ctaCapture?: Capture;
  }
}
