/**
 * The page in Firefox and WebKit: the real build behind the real server, in a browser that is driven from outside. The tests
 * use Debian's builds, which tests/helpers/run/ensure-needs.ts installs, because Playwright's are not available everywhere.
 */

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { inspect, isDeepStrictEqual } from 'node:util';
import { LANGUAGES, pathIn } from '#contract/language.ts';
import { firstCaption } from '../helpers/browser/film.ts';
import type { Engine, EnginePage } from '../helpers/engines/engine-page.ts';
import { startFirefox } from '../helpers/engines/firefox.ts';
import { findFirefox } from '../helpers/engines/firefox-find.ts';
import { startWebkit } from '../helpers/engines/webkit.ts';
import { findWebkit } from '../helpers/engines/webkit-find.ts';
import {
  type PosthogCapture,
  startPosthogCapture,
} from '../helpers/fakes/posthog-capture/start-posthog-capture.ts';
import { reportSkipped } from '../helpers/run/report-skipped.ts';
import { steadyCount } from '../helpers/run/steady-count.ts';
import { withSettings } from '../helpers/run/with-settings.ts';
import { type SiteProcess, startSite } from '../helpers/server/site-process.ts';
import { buildSite, distOf } from './build-sites.ts';

const PATIENCE_MS = 30_000;
const POLL_MS = 25;
const [firefox, webkit] = [findFirefox(), findWebkit()];
const ENGINES = {
  Firefox: firefox && (() => startFirefox(firefox)),
  WebKit: webkit && (() => startWebkit(webkit)),
};

for (const [name, start] of Object.entries(ENGINES)) {
  if (!start) reportSkipped(`the page in ${name}`, `${name} is missing`);
  describe(`the page in ${name}`, { skip: !start, timeout: 180_000 }, () => {
    let posthog: PosthogCapture;
    let site: SiteProcess;
    let engine: Engine;
    let page: EnginePage;
    before(async () => {
      await buildSite('tracked');
      posthog = await startPosthogCapture();
      site = await startSite({
        DIST_DIR: withSettings(distOf('tracked'), { posthogHost: posthog.url }),
      });
      engine = await (start as () => Promise<Engine>)();
    });
    // A page of its own, because an earlier one is behind the tab that its button has opened.
    beforeEach(async () => {
      page = await engine.openPage();
    });
    afterEach(() => page.close());
    after(async () => {
      await engine?.close();
      await site.remove();
      await posthog.close();
    });

    test('a press of the button is one line in the log and one event at PostHog', async () => {
      await arrive(page, `http://127.0.0.1:${site.port}/?ref=engine`);
      await page.click('[data-cta=hero]');
      const lines = () => site.lines().filter(({ referrer }) => referrer === 'engine');
      const events = () => posthog.merged().filter(({ event }) => event === 'cta_click');
      const [line] = await steadyCount(lines, 1, 'lines');
      const [event] = await steadyCount(events, 1, 'events');
      assert.equal(line?.event, 'hero_cta_click');
      assert.equal(event?.uuid, line?.id);
    });

    for (const language of LANGUAGES) {
      test(`every section (${language}) is seen, and the film plays with its captions`, async () => {
        await arrive(page, `http://127.0.0.1:${site.port}${pathIn(language, '/')}`);
        await until('unseen', () => page.evaluate(wakeAndLook), []);
        await page.click('video');
        const film = { isPlaying: true, captions: [firstCaption(language)] };
        await until('film', () => page.evaluate(lookAtFilm), film);
      });
    }
  });
}

/** Repeats the question until the answer is the expected one. Fails with the last answer. */
async function until<T>(what: string, ask: () => Promise<T>, wanted: NoInfer<T>): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    // A browser cannot answer while it navigates to another page.
    const answer = await ask().catch((error: Error) => error);
    if (isDeepStrictEqual(answer, wanted)) return;
    if (Date.now() > end) throw new Error(`${what}: still ${inspect(answer)}`);
    await delay(POLL_MS);
  }
}

/** Opens the page and waits until it has loaded. */
async function arrive(page: EnginePage, url: string): Promise<void> {
  await page.go(url);
  const place = () => page.evaluate(() => document.readyState === 'complete' && location.href);
  await until('loaded', place, url);
}

/**
 * Runs in the page. Scrolls to a part that has not loaded yet, if there is one.
 *
 * @returns the parts that have not loaded, and the texts that are not drawn, are faint, or are outside of the page
 */
function wakeAndLook(): string[] {
  const late = document.querySelectorAll('[data-island]:not([data-ready]), [data-reveal=waiting]');
  // React loads in a pause, so that endless scrolling would delay it.
  const hasReact = document.querySelector('[data-island=toaster][data-ready]') !== null;
  if (hasReact) late[0]?.scrollIntoView({ block: 'center', behavior: 'instant' });
  if (hasReact || scrollY === 0) scrollBy({ top: 1, behavior: 'instant' });
  const isFaint = (element: Element | null): boolean =>
    element !== null &&
    (getComputedStyle(element).opacity !== '1' || isFaint(element.parentElement));
  const unseen = [...document.querySelectorAll('h1, h2, h3, main p, main dd, footer a')]
    .filter((element) => element.textContent && !element.closest('[role=status]'))
    .filter((element) => {
      const { width, height, left, right } = element.getBoundingClientRect();
      return !width || !height || isFaint(element) || left < 0 || right > innerWidth + 1;
    });
  return [...late, ...unseen].map((element) => element.outerHTML.slice(0, 80));
}

/** Runs in the page. */
function lookAtFilm() {
  const video = document.querySelector('video');
  return {
    isPlaying: video !== null && !video.paused && video.currentTime > 0,
    captions: [...(video?.textTracks ?? [])]
      .filter(({ mode }) => mode === 'showing')
      .flatMap(({ activeCues }) => [...(activeCues ?? [])] as VTTCue[])
      .map(({ text }) => text),
  };
}
