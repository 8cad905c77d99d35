/**
 * The page in Firefox and WebKit: the real build behind the real server, in a browser that is
 * driven from outside. The tests use Debian's builds, which tests/helpers/run/ensure-needs.ts
 * installs, because Playwright's are not available everywhere.
 */

import { firstCaption, shownCaptions } from '../helpers/browser/film.ts';
import { launchFirefox, openFirefox } from '../helpers/engines/firefox.ts';
import { openWebkit } from '../helpers/engines/webkit.ts';
import { findFirefox, findWebkit, reportSkipped } from '../helpers/run/find-programs.ts';
import { capturedEvents, expect, loggedClicks, test } from './fixtures.ts';

test.setTimeout(180_000);

const [firefox, webkit] = [findFirefox(), findWebkit()];
const ENGINES = {
  Firefox: firefox && (() => openFirefox(firefox)),
  WebKit: webkit && (() => openWebkit(webkit)),
};

for (const [name, open] of Object.entries(ENGINES)) {
  test(`the page in ${name}`, async ({ world, ref }) => {
    if (!open) {
      reportSkipped(`the page in ${name}`, `${name} is missing`);
      return test.skip(true, `${name} is missing`);
    }
    await using page = await open();
    // Every part is awake, and the film plays with its captions.
    await page.go(`http://127.0.0.1:${world.site.port}/es/?ref=${ref}`);
    // A question that meets the page before, which ends just then, fails, and is asked again.
    const look = () => page.evaluate(wakeAndLook).catch(({ message }: Error) => [message]);
    await expect.poll(look).toEqual([]);
    await page.click('video');
    await expect.poll(() => page.evaluate(shownCaptions)).toEqual([firstCaption('es')]);

    // A press of the button is one line in the log and one event at PostHog.
    await page.click('[data-cta=hero]');
    const [line] = await loggedClicks(world, ref, 1);
    const [event] = await capturedEvents(world, 'cta_click', ref, 1);
    expect(line?.event).toBe('hero_cta_click');
    expect(event?.uuid).toBe(line?.id);
  });
}

/** `npm run bench -- closed-tabs` closes more. */
const TABS = Number(process.env.TABS ?? 2);

test('in a Firefox without keepalive, the click of each tab that is closed during its request counts', async ({
  world,
  ref,
}) => {
  if (!firefox) {
    reportSkipped('the clicks of an old Firefox', 'Firefox is missing');
    return test.skip(true, 'Firefox is missing');
  }
  // As before version 133.
  const browser = await launchFirefox(firefox, { 'dom.fetchKeepalive.enabled': false });
  const { slow } = world;
  slow.hold(/log-cta$/);
  const press = async () => {
    const tab = await browser.newPage();
    await tab.goto(`http://127.0.0.1:${slow.port}/?ref=${ref}`, { waitUntil: 'domcontentloaded' });
    // The stub's own function sends beacons. The page's module replaces it.
    await tab.waitForFunction(() => !String(window.ctaStub?.onClick).includes('via=beacon'));
    const asked = tab.waitForRequest((request) => request.url().endsWith('/api/log-cta'));
    await tab.$eval('[data-cta=hero]', (link) => {
      // Opens no tab of the portal.
      link.addEventListener('click', (event) => event.preventDefault());
      (link as HTMLElement).click();
    });
    await asked;
    await tab.close();
  };
  for (let tab = 0; tab < TABS; tab += 1) await press();
  await loggedClicks(world, ref, TABS);
  slow.release();
  await browser.close();
  // The proxy passes on no request that the browser has given up.
  const lines = await loggedClicks(world, ref, TABS);
  expect(new Set(lines.map(({ via }) => via))).toEqual(new Set(['beacon']));
});

/** Runs in the page. Scrolls to a part that has not loaded or moved in yet. Returns such parts. */
function wakeAndLook(): string[] {
  if (document.readyState !== 'complete' || !document.querySelector('main')) return ['the page'];
  const late = document.querySelectorAll(
    ':is([data-island], #opt-out):not([data-ready]), [data-reveal=waiting]',
  );
  late[0]?.scrollIntoView({ block: 'center', behavior: 'instant' });
  if (scrollY === 0) scrollBy({ top: 1, behavior: 'instant' });
  return [...late].map((element) => element.outerHTML.slice(0, 80));
}
