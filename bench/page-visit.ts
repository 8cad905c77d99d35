/**
 * One visit with a phone, in a plain tab. Playwright and DevTools make the browser record the
 * source of each request and warning, for which it parses scripts again: about 80 ms for React
 * alone, which visitors never meet.
 */

import { setTimeout as wait } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import puppeteer, { type Browser, type CDPSession } from 'puppeteer-core';
import { findChromium } from '../tests/helpers/browser/chromium.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // posthog-js treats an automated browser as a bot and sends nothing.
  '--disable-blink-features=AutomationControlled',
  // No request goes to the portal.
  '--host-resolver-rules=MAP portal.example 127.0.0.1:9',
  // Chromium sometimes delays a frame in which only a focus ring changes, until the next press.
  '--run-all-compositor-stages-before-draw',
];
const SCREEN = { width: 412, height: 823, deviceScaleFactor: 1.75, mobile: true };
const USER_AGENT =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36';
/** Milliseconds and bytes per second. */
const RATES = { latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 };

export const launch = (): Promise<Browser> =>
  puppeteer.launch({ executablePath: findChromium() ?? chromium.executablePath(), args: FLAGS });

/**
 * Opens a page, and calls `act` at its first paint.
 *
 * @param cpu slowdown, relative to this machine
 * @param slow4g slows the network down
 */
export async function visit<T>(
  browser: Browser,
  { url, cpu = 4, slow4g = false }: { url: string; cpu?: number; slow4g?: boolean },
  act: (tab: CDPSession) => Promise<T>,
): Promise<T> {
  const context = await browser.createBrowserContext();
  const root = await browser.target().createCDPSession();
  try {
    const browserContextId = String(context.id);
    await root.send('Target.createTarget', { url: 'about:blank', browserContextId });
    const tab = await (await context.waitForTarget(() => true)).createCDPSession();
    await tab.send('Emulation.setDeviceMetricsOverride', SCREEN);
    await tab.send('Emulation.setTouchEmulationEnabled', { enabled: true });
    await tab.send('Emulation.setUserAgentOverride', { userAgent: USER_AGENT });
    await tab.send('Emulation.setCPUThrottlingRate', { rate: cpu });
    if (slow4g) {
      await tab.send('Network.enable');
      await tab.send('Network.emulateNetworkConditions', { offline: false, ...RATES });
    }
    await tab.send('Performance.enable');
    await tab.send('Page.enable');
    await tab.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${watch})()` });
    await tab.send('Page.navigate', { url });
    await evaluate(tab, `(${firstPaint})()`);
    return await act(tab);
  } finally {
    await root.detach();
    await context.close();
  }
}

/** @param expression runs in the page */
async function evaluate<T>(tab: CDPSession, expression: string): Promise<T> {
  const options = { expression, awaitPromise: true, returnByValue: true };
  const { result, exceptionDetails } = await tab.send('Runtime.evaluate', options);
  if (exceptionDetails) throw new Error(exceptionDetails.text);
  return result.value;
}

export async function pressTab(tab: CDPSession): Promise<void> {
  const key = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
  await tab.send('Input.dispatchKeyEvent', { type: 'keyDown', ...key });
  await tab.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
}

/** Clicks the hero's button, and then closes the tab as a visitor does. @param ms between both */
export async function clickAndClose(tab: CDPSession, ms: number): Promise<void> {
  const { x, y } = await evaluate<DOMRect>(tab, BUTTON);
  const place = { x: x + 9, y: y + 9, button: 'left', clickCount: 1 } as const;
  for (const type of ['mousePressed', 'mouseReleased'] as const)
    await tab.send('Input.dispatchMouseEvent', { type, ...place });
  await wait(ms);
  await tab.send('Page.close');
}

const BUTTON = "document.querySelector('[data-cta=hero]').getBoundingClientRect().toJSON()";

/** Begins slowly, because the first movement loads what is deferred. */
export async function scrollToEnd(tab: CDPSession): Promise<void> {
  for (let i = 0; i < 20; i += 1) {
    const wheel = { x: 200, y: 300, deltaX: 0, deltaY: i === 0 ? 50 : 600 };
    await tab.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...wheel });
    await wait(i === 0 ? 2500 : 150);
  }
}

/** Of the visit so far; times in milliseconds. */
export interface Feel {
  fcp: number;
  lcp: number;
  /** Begin and duration. */
  longTasks: [number, number][];
  slowestPress: number;
  layoutShift: number;
}

export const feelOf = (tab: CDPSession): Promise<Feel> => evaluate(tab, 'benchFeel');

/** The time that the long tasks after the first paint took beyond 50 ms each. */
export const blockedMs = ({ fcp, longTasks }: Feel): number =>
  longTasks.filter(([begin]) => begin > fcp).reduce((sum, [, duration]) => sum + duration - 50, 0);

/** Milliseconds of all tasks of the main thread. */
export async function mainThreadMs(tab: CDPSession): Promise<number> {
  const { metrics } = await tab.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

/** Runs in the page, before the page's own scripts. */
function watch(): void {
  const feel: Feel = { fcp: 0, lcp: 0, longTasks: [], slowestPress: 0, layoutShift: 0 };
  Object.assign(window, { benchFeel: feel });
  const see = (type: string, take: (entry: never) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take as never)).observe({
      type,
      buffered: true,
      durationThreshold: 16,
    } as PerformanceObserverInit);
  see('largest-contentful-paint', ({ startTime }: PerformanceEntry) => {
    feel.lcp = startTime;
  });
  see('longtask', ({ startTime, duration }: PerformanceEntry) => {
    feel.longTasks.push([startTime, duration]);
  });
  see('paint', ({ startTime }: PerformanceEntry) => {
    feel.fcp = startTime;
  });
  see('event', ({ interactionId, duration }: PerformanceEventTiming) => {
    if (interactionId) feel.slowestPress = Math.max(feel.slowestPress, duration);
  });
  see('layout-shift', ({ hadRecentInput, value }: { hadRecentInput: boolean; value: number }) => {
    if (!hadRecentInput) feel.layoutShift += value;
  });
}

/** Runs in the page. */
const firstPaint = (): Promise<void> =>
  new Promise((resolve) => {
    new PerformanceObserver(() => resolve()).observe({ type: 'paint', buffered: true });
  });
