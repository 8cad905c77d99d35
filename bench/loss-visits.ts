/** Visits that end with a click on the hero's button, each in its own browser context. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, Page } from 'playwright';
import { hideHeadlessBrand } from '../tests/helpers/browser/hide-headless-brand.ts';
import { isLogged, type Stage } from './loss-stage.ts';
import { type Conditions, firstPaint, type Visit, visit } from './page-visit.ts';

const CTA = '[data-cta=hero]';
/** Upper bound for a click's way into the ledger while its browser is open. */
const LOGGED_MS = 90_000;
const POLL_MS = 100;
/** Time in which a closing tab's requests reach the server. The browser stays open for a visitor, too. */
const LAST_REQUESTS_MS = 2000;

let visits = 0;

/** Runs `act` in a new visit with a `ref` of its own. @param stops URL patterns that a blocker stops */
function visitWithRef(
  browser: Browser,
  conditions: Conditions,
  stops: readonly string[],
  act: (visit: Visit, ref: string) => Promise<void>,
): Promise<void> {
  const ref = `try-${process.pid}-${visits++}`;
  return visit(browser, conditions, async (one) => {
    await one.page.addInitScript(hideHeadlessBrand);
    if (stops.length > 0) await one.cdp.send('Network.setBlockedURLs', { urls: [...stops] });
    await act(one, ref);
  });
}

/** Clicks at the first paint on a slow network, and closes the tab. @returns milliseconds between both */
export async function clickAndClose(
  browser: Browser,
  stage: Stage,
  closeAfterMs: number,
): Promise<number> {
  let between = 0;
  await visitWithRef(browser, { slow4g: true }, [], async ({ page }, ref) => {
    await page.goto(`${stage.url}?ref=${ref}`, { waitUntil: 'commit' });
    await page.evaluate(firstPaint);
    const box = await page.locator(CTA).boundingBox();
    if (!box) throw new Error('The page has painted no button');
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    const at = made(stage, ref);
    await wait(closeAfterMs);
    between = Date.now() - at;
    await closeTab(page);
    await untilLogged(stage, ref);
  });
  return between;
}

/** Clicks when the page has loaded, and closes the tab when the ledger has the click. */
export function clickAndStay(
  browser: Browser,
  stage: Stage,
  { stops = [], noScript = false }: { stops?: string[]; noScript?: boolean } = {},
): Promise<void> {
  return visitWithRef(browser, { noScript }, stops, async ({ page }, ref) => {
    await page.goto(`${stage.url}?ref=${ref}`);
    await page.click(CTA);
    made(stage, ref);
    await untilLogged(stage, ref);
    await closeTab(page);
  });
}

/**
 * Clicks, and breaks the server at a moment after the click. The tab stays open until the ledger has the click.
 *
 * @param breakServer resolves when the server runs again
 */
export function clickAndBreak(
  browser: Browser,
  stage: Stage,
  breakServer: () => Promise<void>,
): Promise<void> {
  return visitWithRef(browser, {}, [], async ({ page }, ref) => {
    await page.goto(`${stage.url}?ref=${ref}`);
    await page.click(CTA);
    made(stage, ref);
    await breakServer();
    await untilLogged(stage, ref);
    await closeTab(page);
  });
}

/** Opens the page, clicks when `isAway` resolves, and stays until the ledger has the click. */
export function clickWhileAway(
  browser: Browser,
  stage: Stage,
  { opened, isAway }: { opened: () => void; isAway: Promise<void> },
): Promise<void> {
  return visitWithRef(browser, {}, [], async ({ page }, ref) => {
    await page.goto(`${stage.url}?ref=${ref}`);
    opened();
    await isAway;
    await page.click(CTA);
    made(stage, ref);
    await untilLogged(stage, ref, 10 * LOGGED_MS);
    await closeTab(page);
  });
}

function made({ clicks }: Stage, ref: string): number {
  const at = Date.now();
  clicks.push({ ref, at });
  return at;
}

/** Closes the tab as a visitor does, with its last events. */
async function closeTab(page: Page): Promise<void> {
  const closed = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closed;
  await wait(LAST_REQUESTS_MS);
}

/** Does not fail if the ledger never gets the click, because the table then shows it as lost. */
async function untilLogged(stage: Stage, ref: string, limitMs = LOGGED_MS): Promise<void> {
  const end = Date.now() + limitMs;
  while (Date.now() < end && !(await isLogged(stage, ref))) await wait(POLL_MS);
}
