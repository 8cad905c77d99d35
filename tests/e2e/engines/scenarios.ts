/** Scenarios that must work in every engine. The same list runs in each of them. */
import assert from 'node:assert/strict';
import { pathIn } from '#contract/language.ts';
import { HELP_PATHS } from '#words/help-paths.ts';
import { ctasOn } from '../../helpers/browser/cta-pages.ts';
import { steadyCount } from '../../helpers/run/steady-count.ts';
import { captionsAreShown, FILM, filmStarts } from './film-scenarios.ts';
import {
  arrive,
  arriveEarly,
  linesOf,
  listenForComplaints,
  until,
  type Visit,
  wake,
} from './visit.ts';

export const SCENARIOS: Record<string, (visit: Visit) => Promise<void>> = {
  'every section is seen': everySectionIsSeen,
  'the Spanish page and the help pages are seen, and their button is logged': helpIsSeen,
  'every call to action opens the portal with the ref, and is logged once': everyCallIsLogged,
  'a click at once after paint, before any script, is logged once': clickAtOnceIsLogged,
  'the keyboard reaches every control once, there and back': keyboardReachesEverything,
  'a toast is announced, leaves the focus alone, and closes on Escape': toastIsSaid,
  'the film replaces its picture, and takes the focus': filmStarts,
  'the film shows its captions while it plays, in each language': captionsAreShown,
  'a tooltip opens under the pointer, and closes on Escape': tooltipComes,
  'the footer’s links move the view and the reading place to their sections': footerLeads,
  'the browser reports no error during a whole visit': nothingComplains,
};

const SWITCH = '[data-island=opt-out] button';

const portalWith = (ref: string) =>
  `https://portal.example/create-account?invitation_code=SMADRIVE&ref=${ref}`;

async function everySectionIsSeen(visit: Visit): Promise<void> {
  await arrive(visit);
  const fonts = () =>
    visit.page.evaluate(() =>
      [...document.fonts]
        .filter(({ status }) => status === 'loaded')
        .map(({ family }) => family.replaceAll('"', ''))
        .filter((family) => /^(Newsreader|Atkinson)/.test(family))
        .sort(),
    );
  await until('fonts', fonts, ['Atkinson Hyperlegible Next', 'Newsreader']);
  await wake(visit);
  await expectAllSeen(visit);
}

async function helpIsSeen(visit: Visit): Promise<void> {
  const { page, ref } = visit;
  await arrive(visit, pathIn('es', '/'));
  await wake(visit);
  await expectAllSeen(visit);
  for (const path of [pathIn('es', HELP_PATHS.hub), HELP_PATHS.questions]) {
    await arrive(visit, path);
    await expectAllSeen(visit);
  }
  await page.click('[data-cta=help]');
  await until('tabs', page.openedTabs, [portalWith(ref)]);
  await until('events', eventsOf(visit), ['help_cta_click']);
}

/** Checks that every text is drawn, in full strength and inside the view, and every drawing that has a place at this width. */
async function expectAllSeen(visit: Visit): Promise<void> {
  const unseen = () =>
    visit.page.evaluate(() => {
      const isFaint = (element: Element | null): boolean =>
        element !== null &&
        (getComputedStyle(element).opacity !== '1' || isFaint(element.parentElement));
      return [...document.querySelectorAll('h1, h2, h3, main p, main dd, main img, footer a')]
        .filter((element) =>
          element.matches('img')
            ? getComputedStyle(element).display !== 'none'
            : element.textContent,
        )
        .filter((element) => !element.closest('[role=status]'))
        .filter((element) => {
          const { width, height, left, right } = element.getBoundingClientRect();
          const isOutside = left < 0 || right > innerWidth + 1;
          return !width || !height || isFaint(element) || (isOutside && !element.matches('img'));
        })
        .map((element) => element.outerHTML.slice(0, 80));
    });
  await until('unseen', unseen, []);
  const sideways = () =>
    visit.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  assert.equal(await sideways(), false);
}

async function everyCallIsLogged(visit: Visit): Promise<void> {
  const { page, ref } = visit;
  await arrive(visit);
  const logged: string[] = [];
  for (const { selector, event } of ctasOn('/')) {
    if (logged.length === 0) await page.click(selector);
    else {
      await page.evaluate((one) => document.querySelector<HTMLElement>(one)?.focus(), selector);
      await page.press('Enter');
    }
    logged.push(event);
    await until(
      'tabs',
      page.openedTabs,
      logged.map(() => portalWith(ref)),
    );
    await until('events', eventsOf(visit), logged);
  }
  await expectNoMore(visit, logged.length);
}

async function clickAtOnceIsLogged(visit: Visit): Promise<void> {
  await arriveEarly(visit);
  await visit.page.click('[data-cta=hero]');
  await until('tabs', visit.page.openedTabs, [portalWith(visit.ref)]);
  visit.proxy.release();
  await until('events', eventsOf(visit), ['hero_cta_click']);
  await expectNoMore(visit, 1);
}

const eventsOf = (visit: Visit) => async () => (await linesOf(visit)).map(({ event }) => event);

/** Leaves the page, because it then sends waiting clicks, and checks that the number of lines is still the same. */
async function expectNoMore(visit: Visit, count: number): Promise<void> {
  await visit.page.go(`http://127.0.0.1:${visit.proxy.port}/healthz`);
  const isGone = () => visit.page.evaluate(() => document.querySelector('main') === null);
  await until('left', isGone, true);
  await steadyCount(() => linesOf(visit), count, 'clicks');
}

async function keyboardReachesEverything(visit: Visit): Promise<void> {
  const { page } = visit;
  await arrive(visit);
  await wake(visit);
  const count = await page.evaluate(() => {
    const all = document.querySelectorAll('a[href], button, input, summary, [tabindex="0"]');
    const shown = [...all].filter((element) => element.checkVisibility());
    for (const [index, element] of shown.entries()) element.setAttribute('data-stop', `${index}`);
    return shown.length;
  });
  const stops = Array.from({ length: count }, (_, index) => index);
  assert.ok(count <= 25, `${count} stops`);
  for (const stop of stops) {
    await page.press('Tab');
    await expectFocus(visit, stop);
  }
  for (const stop of stops.slice(0, -1).reverse()) {
    await page.press('Shift+Tab');
    await expectFocus(visit, stop);
  }
}

async function expectFocus({ page }: Visit, stop: number): Promise<void> {
  const where = () =>
    page.evaluate(() => {
      const focused = document.activeElement as HTMLElement;
      const { top, bottom } = focused.getBoundingClientRect();
      return { stop: Number(focused.dataset.stop), isInView: top >= 0 && bottom <= innerHeight };
    });
  await until(`stop ${stop}`, where, { stop, isInView: true });
}

async function toastIsSaid(visit: Visit): Promise<void> {
  const { page } = visit;
  await arrive(visit);
  await wake(visit);
  await page.evaluate((name) => document.querySelector<HTMLElement>(name)?.focus(), SWITCH);
  await page.press('Enter');
  const said = () =>
    page.evaluate(() => ({
      toasts: document.querySelectorAll('[data-toast][data-state=open]').length,
      status: document.querySelector('[role=status]')?.textContent?.split('.')[0],
      focus: document.activeElement?.tagName,
      inline: document.body.textContent.includes('Counting is off on this device.'),
    }));
  const shown = { toasts: 1, status: 'Counting is off', focus: 'BUTTON', inline: true };
  await until('toast', said, shown);
  await page.press('Escape');
  await until('toast gone', said, { ...shown, toasts: 0, status: '' });
}

async function tooltipComes(visit: Visit): Promise<void> {
  const { page } = visit;
  await arrive(visit);
  await wake(visit);
  await page.evaluate(
    (name) =>
      document.querySelector(name)?.scrollIntoView({ block: 'center', behavior: 'instant' }),
    SWITCH,
  );
  await page.hover(SWITCH);
  const tooltips = () => page.evaluate(() => document.querySelectorAll('[data-tooltip]').length);
  await until('tooltips', tooltips, 1);
  await page.press('Escape');
  await until('tooltips', tooltips, 0);
}

async function footerLeads(visit: Visit): Promise<void> {
  const { page } = visit;
  await arrive(visit);
  await page.click('footer a[href="#benefits"]');
  const where = () =>
    page.evaluate(() => {
      const { top, bottom } = (
        document.getElementById('benefits') as Element
      ).getBoundingClientRect();
      return { focus: document.activeElement?.id, isInView: top >= 0 && bottom <= innerHeight };
    });
  await until('place', where, { focus: 'benefits', isInView: true });
}

async function nothingComplains(visit: Visit): Promise<void> {
  const { page, proxy } = visit;
  await arriveEarly(visit);
  const complaints = await listenForComplaints(visit);
  proxy.release();
  await wake(visit);
  await page.click(FILM);
  await page.click(SWITCH);
  await page.press('Escape');
  await page.click('[data-cta=hero]');
  await until('tabs', page.openedTabs, [portalWith(visit.ref)]);
  assert.deepEqual(await complaints(), []);
}

/** For a browser that sends a privacy signal in its own requests. */
export async function clicksArePrivate(visit: Visit): Promise<void> {
  const { page, ref } = visit;
  await arrive(visit);
  await page.evaluate(sendBeaconWith, ref);
  await page.click('[data-cta=hero]');
  const marks = async () =>
    (await linesOf(visit))
      .map((line) => [line.via, line.private, line.ip, line.remote_ip].join())
      .sort();
  await until('marks', marks, ['beacon,true,,', 'fetch,true,,']);
}

/** Runs in the page. */
export function sendBeaconWith(referrer: string): void {
  const click = {
    event: 'hero_cta_click',
    referrer,
    ip: '203.0.113.7',
    timestamp: new Date().toISOString(),
    page_url: location.href,
    user_agent: navigator.userAgent,
    is_mobile: false,
  };
  const body = new Blob([JSON.stringify(click)], { type: 'application/json' });
  navigator.sendBeacon('/api/log-cta?via=beacon', body);
}
