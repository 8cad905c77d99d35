/**
 * Opens a page as on a phone, in a tab that is controlled only by raw commands of the DevTools
 * protocol. Under Playwright the browser also records the source of each request and warning, and
 * parses scripts again for that: about 80 ms for React alone, which visitors do not have.
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
  // Hides that the browser is automated: posthog-js would treat it as a bot and send nothing.
  '--disable-blink-features=AutomationControlled',
  // Requests for the portal go to a closed port of this machine.
  '--host-resolver-rules=MAP portal.example 127.0.0.1:9',
  // Chromium sometimes delays a frame in which only a focus ring changes, until the next press.
  '--run-all-compositor-stages-before-draw',
];
const SCREEN = { width: 412, height: 823, deviceScaleFactor: 1.75, mobile: true };
const USER_AGENT =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36';
/** The network "Slow 4G" of DevTools: latency in milliseconds, throughput in bytes per second. */
const SLOW_4G = { latency: 562.5, downloadThroughput: 184_320, uploadThroughput: 84_375 };

export const launch = (): Promise<Browser> =>
  puppeteer.launch({ executablePath: findChromium() ?? chromium.executablePath(), args: FLAGS });

/**
 * Opens a page in a new browser context, and calls `act` at its first paint.
 *
 * @param cpu slowdown of the CPU: 4 makes it four times as slow as this machine's
 * @param slow4g whether the network is as slow as Slow 4G
 * @returns the result of `act`
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
      await tab.send('Network.emulateNetworkConditions', { offline: false, ...SLOW_4G });
    }
    await tab.send('Performance.enable');
    await tab.send('Page.enable');
    await tab.send('Page.addScriptToEvaluateOnNewDocument', {
      source: `(${recordVitals})()`,
    });
    await tab.send('Page.navigate', { url });
    await evaluate(tab, `(${firstPaint})()`);
    return await act(tab);
  } finally {
    await root.detach();
    await context.close();
  }
}

/** Evaluates a JavaScript expression in the page. @throws if it throws there */
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

/** Clicks the hero's call to action, waits `ms`, and closes the tab as a visitor does. */
export async function clickAndClose(tab: CDPSession, ms: number): Promise<void> {
  const { x, y } = await evaluate<DOMRect>(tab, BUTTON_RECT);
  const place = { x: x + 9, y: y + 9, button: 'left', clickCount: 1 } as const;
  for (const type of ['mousePressed', 'mouseReleased'] as const)
    await tab.send('Input.dispatchMouseEvent', { type, ...place });
  await wait(ms);
  await tab.send('Page.close');
}

const BUTTON_RECT = "document.querySelector('[data-cta=hero]').getBoundingClientRect().toJSON()";

/**
 * Scrolls to the end of the page with the wheel. It pauses after the first turn, because that input
 * loads the deferred scripts.
 */
export async function scrollToEnd(tab: CDPSession): Promise<void> {
  for (let i = 0; i < 20; i += 1) {
    const wheel = { x: 200, y: 300, deltaX: 0, deltaY: i === 0 ? 50 : 600 };
    await tab.send('Input.dispatchMouseEvent', { type: 'mouseWheel', ...wheel });
    await wait(i === 0 ? 2500 : 150);
  }
}

/** Web vitals of the page so far. Times are in milliseconds. */
export interface Vitals {
  fcp: number;
  lcp: number;
  /** Start and duration of each task of more than 50 ms. */
  longTasks: [number, number][];
  /** Duration of the slowest interaction. */
  slowestPress: number;
  layoutShift: number;
}

export const readVitals = (tab: CDPSession): Promise<Vitals> => evaluate(tab, 'benchVitals');

/**
 * Returns the total blocking time: the sum of what each long task after the first paint took beyond
 * 50 ms.
 */
export const blockedMs = ({ fcp, longTasks }: Vitals): number =>
  longTasks.filter(([begin]) => begin > fcp).reduce((sum, [, duration]) => sum + duration - 50, 0);

/** Returns the time of all tasks of the page's main thread, in milliseconds. */
export async function mainThreadMs(tab: CDPSession): Promise<number> {
  const { metrics } = await tab.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

/**
 * Records the vitals in the window's property `benchVitals`. Runs in the page, before its own
 * scripts.
 */
function recordVitals(): void {
  const vitals: Vitals = { fcp: 0, lcp: 0, longTasks: [], slowestPress: 0, layoutShift: 0 };
  Object.assign(window, { benchVitals: vitals });
  const observe = (type: string, take: (entry: never) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take as never)).observe({
      type,
      buffered: true,
      durationThreshold: 16,
    } as PerformanceObserverInit);
  observe('largest-contentful-paint', ({ startTime }: PerformanceEntry) => {
    vitals.lcp = startTime;
  });
  observe('longtask', ({ startTime, duration }: PerformanceEntry) => {
    vitals.longTasks.push([startTime, duration]);
  });
  observe('paint', ({ startTime }: PerformanceEntry) => {
    vitals.fcp = startTime;
  });
  observe('event', ({ interactionId, duration }: PerformanceEventTiming) => {
    if (interactionId) vitals.slowestPress = Math.max(vitals.slowestPress, duration);
  });
  type LayoutShift = { hadRecentInput: boolean; value: number };
  observe('layout-shift', ({ hadRecentInput, value }: LayoutShift) => {
    if (!hadRecentInput) vitals.layoutShift += value;
  });
}

/** Resolves at the page's first paint. Runs in the page. */
const firstPaint = (): Promise<void> =>
  new Promise((resolve) => {
    new PerformanceObserver(() => resolve()).observe({ type: 'paint', buffered: true });
  });
