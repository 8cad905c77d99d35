/** What the inline stub and the pipeline that takes over from it share. Plain data, no code. */
import type { Click, PageFacts } from './make-click.ts';

/** Every undelivered click has a localStorage key of its own: this and its id. */
export const OUTBOX_PREFIX = 'click:';

export interface Capture extends PageFacts {
  /** Clicks that nobody has taken yet. */
  waiting: Click[];
  /** Set by the pipeline; from then on every click goes straight to it. */
  onClick?: (click: Click) => void;
  /** Left by the inline script that counts the visit; resolves when that failed, and the pipeline has to. */
  uncounted?: Promise<void>;
}

declare global {
  interface Window {
    /** Left by the inline stub. */
    ctaCapture?: Capture;
  }
}
