/**
 * Measures long tasks and the time from a press to the next paint, with the CPU of a phone.
 *
 * It uses Puppeteer with a plain tab. Playwright and DevTools make the browser record the source of each request and warning,
 * for which it parses scripts again: about 80 ms for React alone, which visitors never meet.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from 'playwright';
import puppeteer, { type Browser, type CDPSession } from 'puppeteer-core';
import { findChromium } from '../tests/helpers/browser/find-chromium.ts';
import type { Site } from './page-sites.ts';
import { CHROMIUM_FLAGS, firstPaint, PHONE, PHONE_CPU } from './page-visit.ts';

/** Time after which all automatic work is done. */
const SETTLED_MS = 3000;
/** Long enough for nine presses at the slowest pace. */
const EARLY_MS = 12_000;
/**
 * Number of presses that move down the page; later presses alternate. Past the last control nothing is painted, and the time
 * to the next paint would be the time to the next press.
 */
const WALK = 6;
/** DevTools' modifier bit for Shift. */
const SHIFT = 8;
/**
 * How often Tab is pressed. Deferred work runs in idle periods (browser/when-idle.ts) and must not delay the next press much.
 */
export const HANDS = [
  { hand: 'quick', everyMs: 80 },
  { hand: 'slow', everyMs: 400 },
  { hand: 'unhurried', everyMs: 1300 },
] as const;
export type Hand = (typeof HANDS)[number]['hand'];

/**
 * Makes the display draw every frame. Otherwise Chromium sometimes delays a frame until the next one, for example when only a
 * focus ring has changed. The time to the next paint would then be the time to the next press.
 */
const DRAW_EVERY_FRAME = '--run-all-compositor-stages-before-draw';

export interface Feel {
  /** Sum of the milliseconds above 50 of each long task after the first paint. */
  blockingMs: number;
  /** Milliseconds from the slowest interaction to its paint. */
  slowestMs: number;
  cls: number;
}

export const launchUnwatched = (): Promise<Browser> => {
  const executablePath = findChromium() ?? chromium.executablePath();
  return puppeteer.launch({ executablePath, args: [...CHROMIUM_FLAGS, DRAW_EVERY_FRAME] });
};

/** Stays on the first screen, scrolls to the end, and stays there. */
export function feelWhole(browser: Browser, site: Site): Promise<Feel> {
  return unwatched(browser, async (tab) => {
    await tab.send('Page.navigate', { url: site.url });
    await wait(SETTLED_MS);
    await mouse(tab, 'mouseMoved');
    for (let i = 0; i < 20; i++) {
      await mouse(tab, 'mouseWheel', { deltaX: 0, deltaY: i === 0 ? 50 : 600 });
      await wait(i === 0 ? SETTLED_MS : 150);
    }
    await wait(SETTLED_MS);
    return evaluate(tab, readFeel);
  });
}

/** @returns milliseconds of the slowest interaction, from the first paint on, while deferred work runs */
export function interactEarly(browser: Browser, site: Site, everyMs: number): Promise<number> {
  return unwatched(browser, async (tab) => {
    await tab.send('Page.navigate', { url: site.url });
    await evaluate(tab, firstPaint);
    for (const type of ['mousePressed', 'mouseReleased'] as const) {
      await mouse(tab, type, { button: 'left', clickCount: 1 });
    }
    for (let i = 0, end = Date.now() + EARLY_MS; Date.now() < end; i++, await wait(everyMs)) {
      await pressTab(tab, { back: i >= WALK && i % 2 === 0 });
    }
    return (await evaluate(tab, readFeel)).slowestMs;
  });
}

/** Opens a blank tab of a phone, runs `act` on it, and closes it. */
async function unwatched<T>(browser: Browser, act: (tab: CDPSession) => Promise<T>): Promise<T> {
  const context = await browser.createBrowserContext();
  const root = await browser.target().createCDPSession();
  try {
    await root.send('Target.createTarget', {
      url: 'about:blank',
      ...(context.id && { browserContextId: context.id }),
    });
    const tab = await (await context.waitForTarget(() => true)).createCDPSession();
    const { viewport, deviceScaleFactor, isMobile, hasTouch, userAgent } = PHONE;
    await tab.send('Emulation.setDeviceMetricsOverride', {
      ...viewport,
      deviceScaleFactor,
      mobile: isMobile,
    });
    await tab.send('Emulation.setTouchEmulationEnabled', { enabled: hasTouch });
    await tab.send('Emulation.setUserAgentOverride', { userAgent });
    await tab.send('Emulation.setCPUThrottlingRate', { rate: PHONE_CPU });
    await tab.send('Page.enable');
    await tab.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${watchFeel})()` });
    return await act(tab);
  } finally {
    await root.detach();
    await context.close();
  }
}

async function evaluate<T>(tab: CDPSession, run: () => T | Promise<T>): Promise<T> {
  const { result, exceptionDetails } = await tab.send('Runtime.evaluate', {
    expression: `(${run})()`,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  return result.value;
}

type MouseEvent = 'mouseMoved' | 'mouseWheel' | 'mousePressed' | 'mouseReleased';

const mouse = (tab: CDPSession, type: MouseEvent, more = {}) =>
  tab.send('Input.dispatchMouseEvent', { type, x: 200, y: 300, ...more });

async function pressTab(tab: CDPSession, { back }: { back: boolean }): Promise<void> {
  const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9, modifiers: back ? SHIFT : 0 };
  for (const type of ['keyDown', 'keyUp'] as const) {
    await tab.send('Input.dispatchKeyEvent', { type, ...key });
  }
}

/** Runs in the page, before the page's own scripts. */
function watchFeel(): void {
  const feel = { blockingMs: 0, slowestMs: 0, cls: 0 };
  Object.assign(window, { benchFeel: feel });
  const watch = (type: string, see: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({
      type,
      buffered: true,
      durationThreshold: 16,
    } as PerformanceObserverInit);
  watch('longtask', ({ startTime, duration }) => {
    const [paint] = performance.getEntriesByName('first-contentful-paint');
    if (paint && startTime > paint.startTime) feel.blockingMs += duration - 50;
  });
  watch('event', (entry) => {
    const { interactionId, duration } = entry as PerformanceEventTiming;
    if (interactionId) feel.slowestMs = Math.max(feel.slowestMs, duration);
  });
  watch('layout-shift', (entry) => {
    const { hadRecentInput, value } = entry as PerformanceEntry & {
      hadRecentInput: boolean;
      value: number;
    };
    if (!hadRecentInput) feel.cls += value;
  });
}

/** Runs in the page. */
const readFeel = (): Feel => (window as unknown as { benchFeel: Feel }).benchFeel;
