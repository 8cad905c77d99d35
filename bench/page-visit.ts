/** One visit with a phone: a new browser context without a cache, and a list of all loads. */
import type { Browser, CDPSession, Page } from 'playwright';
import { chromium } from 'playwright';
import { findChromium } from '../tests/helpers/browser/find-chromium.ts';

export const CHROMIUM_FLAGS = [
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
];

/** CPU slowdown of a phone, relative to this machine. */
export const PHONE_CPU = 4;

export const PHONE = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  userAgent:
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36',
};

/** Lighthouse's Slow 4G as its devtools mode applies it, in milliseconds and bytes per second. */
const SLOW_4G = {
  offline: false,
  latency: 562.5,
  downloadThroughput: (1.6 * 1024 * 1024 * 0.9) / 8,
  uploadThroughput: (750 * 1024 * 0.9) / 8,
};

export interface Load {
  kind: string;
  path: string;
  /** Bytes on the wire, headers included. */
  bytes: number;
}

export interface Visit {
  page: Page;
  cdp: CDPSession;
  loads: Load[];
}

export interface Conditions {
  /** CPU slowdown, relative to this machine. */
  cpu?: number;
  slow4g?: boolean;
  /** The browser runs no script. */
  noScript?: boolean;
}

export const launchBrowser = (): Promise<Browser> => {
  const executablePath = findChromium();
  return chromium.launch({ ...(executablePath && { executablePath }), args: CHROMIUM_FLAGS });
};

/** Opens a blank page under these conditions, runs `act` on it, and closes it. */
export async function visit<T>(
  browser: Browser,
  { cpu = 1, slow4g = false, noScript = false }: Conditions,
  act: (visit: Visit) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ ...PHONE, javaScriptEnabled: !noScript });
  try {
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    if (slow4g) await cdp.send('Network.emulateNetworkConditions', SLOW_4G);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: cpu });
    return await act({ page, cdp, loads: watchLoads(cdp) });
  } finally {
    await context.close();
  }
}

function watchLoads(cdp: CDPSession): Load[] {
  const loads = new Map<string, Load>();
  const finished: Load[] = [];
  cdp.on('Network.responseReceived', ({ requestId, type, response }) =>
    loads.set(requestId, { kind: type, path: new URL(response.url).pathname, bytes: 0 }),
  );
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const load = loads.get(requestId);
    if (load) finished.push({ ...load, bytes: encodedDataLength });
  });
  return finished;
}

/** Runs in the page. Resolves at the first paint. */
export const firstPaint = (): Promise<void> =>
  new Promise((resolve) => {
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('first-contentful-paint').length > 0) resolve();
    }).observe({ type: 'paint', buffered: true });
  });
