/** Measurements in visits of our own, in addition to Lighthouse. Each function takes a site and returns figures. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright';
import type { Site } from './page-sites.ts';
import { firstPaint, type Load, PHONE_CPU, type Visit, visit } from './page-visit.ts';

const CTA = '[data-cta=hero]';
/** The page is quiet when nothing has loaded for this time. */
const QUIET_MS = 2500;
/** A click or an event that has not arrived after this time is lost. */
const LOST_MS = 10_000;

let visits = 0;
const newRef = (name: string): string => `${name}-${process.pid}-${visits++}`;

/** Loads of a visitor who looks at the first screen only. */
export function loadUntouched(browser: Browser, site: Site): Promise<Load[]> {
  return visit(browser, {}, async (v) => {
    await v.page.goto(site.url);
    await untilQuiet(v);
    return v.loads;
  });
}

/** Loads of a visitor who scrolls to the end and clicks. */
export function loadAll(browser: Browser, site: Site): Promise<Load[]> {
  return visit(browser, {}, async (v) => {
    await v.page.goto(site.url);
    await untilQuiet(v);
    await v.page.mouse.move(200, 400);
    for (let i = 0; i < 20; i++) {
      await v.page.mouse.wheel(0, i === 0 ? 50 : 600);
      await wait(i === 0 ? QUIET_MS : 150);
    }
    await untilQuiet(v);
    await v.page.locator('[data-cta]').last().click();
    await untilQuiet(v);
    return v.loads.filter(({ kind }) => kind !== 'Media');
  });
}

export interface EarlyClick {
  isLogged: boolean;
  hasRef: boolean;
}

/** Clicks the hero's button right after its first paint, with a slow CPU and network. */
export function clickEarly(browser: Browser, site: Site): Promise<EarlyClick> {
  return visit(browser, { cpu: PHONE_CPU, slow4g: true }, async (v) => {
    const ref = newRef('click');
    await gotoFirstPaint(v, `${site.url}?ref=${ref}`);
    const box = await v.page.locator(CTA).boundingBox();
    if (!box) throw new Error(`${site.name} has painted no button`);
    await v.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const href = (await v.page.locator(CTA).getAttribute('href')) ?? '';
    return {
      isLogged: await arrives(async () => (await site.clicks(ref)) === 1),
      hasRef: new URL(href).searchParams.get('ref') === ref,
    };
  });
}

/** Moments at which a visitor leaves without an interaction. */
export const LEAVES = ['at first paint', 'when loaded'] as const;

/** @returns whether the visit was counted; null for a page that counts no visits */
export async function leaveEarly(
  browser: Browser,
  site: Site,
  when: (typeof LEAVES)[number],
): Promise<boolean | null> {
  const ref = newRef('leave');
  if (site.pageviews(ref) === null) return null;
  await visit(browser, { cpu: PHONE_CPU, slow4g: true }, async (v) => {
    await gotoFirstPaint(v, `${site.url}?ref=${ref}`);
    if (when === 'when loaded') await v.page.waitForLoadState('load');
    await v.page.goto('about:blank');
    // The browser may still be sending; closing the context would stop it.
    await arrives(async () => site.pageviews(ref) === 1);
  });
  return site.pageviews(ref) === 1;
}

/** Navigates, and resolves at the first paint. */
async function gotoFirstPaint({ page }: Visit, url: string): Promise<void> {
  await page.goto(url, { waitUntil: 'commit' });
  await page.evaluate(firstPaint);
}

async function untilQuiet({ loads }: Visit): Promise<void> {
  for (let seen = -1; seen < loads.length; await wait(QUIET_MS)) seen = loads.length;
}

async function arrives(isThere: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + LOST_MS; Date.now() < end; await wait(50)) {
    if (await isThere()) return true;
  }
  return false;
}
