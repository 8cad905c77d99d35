/** Visitors who click, each with a page of their own, and some who register. */
import { setTimeout as wait } from 'node:timers/promises';
import { openBrowser } from './browser.ts';
import { openPage, type Page } from './open-page.ts';

/** Each click is made on a random one of so many open pages. */
const OPEN_PAGES = 60;
/** Share of the visitors without waiting clicks who leave, so that another one clicks. */
const LEAVING_SHARE = 0.6;
const LOOK_MS = 20;
/** Share of the visitors whose events reach PostHog from the browser. */
const POSTHOG_SHARE = 0.5;

export interface MadeClick {
  id: string;
  /** Milliseconds since 1970. */
  at: number;
}

export interface Visitors {
  made: MadeClick[];
  /** Time of the first confirmation by id. */
  confirmed: Map<string, number>;
  /** Number of answers to clicks and events by status; 0: no answer. */
  answers: Map<number, number>;
  /** Resolves after so many further clicks. */
  untilMade(more: number): Promise<void>;
  /** The visitors come back. Resolves when the servers have confirmed every click, or after the limit. */
  untilConfirmed(limitMs: number): Promise<void>;
  /** No further click is made. The pages stay open. */
  stopClicking(): void;
  close(): void;
}

/** @param perSecond clicks, at random intervals */
export function startVisitors(origin: string, perSecond: number): Visitors {
  const made: MadeClick[] = [];
  const confirmed = new Map<string, number>();
  const answers = new Map<number, number>();
  const pages: Page[] = [];
  let visitors = 0;
  const openNext = () => {
    const n = visitors++;
    const count = (status: number) => answers.set(status, (answers.get(status) ?? 0) + 1);
    return openPage({
      browser: openBrowser(origin, n, count),
      ref: `clinic-${n % 12}`,
      reachesPosthog: Math.random() < POSTHOG_SHARE,
      onConfirmed: (id) => {
        if (!confirmed.has(id)) confirmed.set(id, Date.now());
      },
    });
  };
  const clickOnce = () => {
    const i = Math.floor(Math.random() * OPEN_PAGES);
    const mayLeave = pages[i]?.waiting() === 0 && Math.random() < LEAVING_SHARE;
    if (mayLeave) pages[i]?.close();
    const page = mayLeave || !pages[i] ? openNext() : pages[i];
    pages[i] = page;
    const { id } = page.click();
    made.push({ id, at: Date.now() });
  };
  let timer: NodeJS.Timeout;
  const next = () => {
    clickOnce();
    timer = setTimeout(next, (2 * Math.random() * 1000) / perSecond);
  };
  next();
  return {
    ...{ made, confirmed, answers },
    async untilMade(more) {
      const target = made.length + more;
      while (made.length < target) await wait(LOOK_MS);
    },
    async untilConfirmed(limitMs) {
      for (const page of pages) page?.comeBack();
      const end = performance.now() + limitMs;
      while (made.some(({ id }) => !confirmed.has(id)) && performance.now() < end)
        await wait(LOOK_MS);
    },
    stopClicking: () => clearTimeout(timer),
    close() {
      clearTimeout(timer);
      for (const page of pages) page?.close();
    },
  };
}
