/**
 * The page in Firefox and WebKit: the real build behind the real server, in a browser that is driven from outside. The tests
 * use Debian's builds, which tests/helpers/run/ensure-needs.ts installs, because Playwright's are not available everywhere.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstCaption } from '../helpers/browser/film.ts';
import { startFirefox } from '../helpers/engines/firefox.ts';
import { type Engine, startWebkit } from '../helpers/engines/webkit.ts';
import { startPosthogCapture } from '../helpers/fakes/posthog-capture.ts';
import { buildSite, distOf } from '../helpers/run/build-sites.ts';
import { findFirefox, findWebkit, reportSkipped } from '../helpers/run/find-programs.ts';
import { steadyCount } from '../helpers/run/steady-count.ts';
import { withSettings } from '../helpers/run/with-settings.ts';
import { startSite } from '../helpers/server/site-process.ts';

const [firefox, webkit] = [findFirefox(), findWebkit()];
const ENGINES = {
  Firefox: firefox && (() => startFirefox(firefox)),
  WebKit: webkit && (() => startWebkit(webkit)),
};

for (const [name, start] of Object.entries(ENGINES)) {
  if (!start) reportSkipped(`the page in ${name}`, `${name} is missing`);
  test(`the page in ${name}`, { skip: !start, timeout: 180_000 }, async (t) => {
    await using ends = new AsyncDisposableStack();
    await buildSite('tracked');
    const posthog = await startPosthogCapture();
    ends.defer(() => posthog.close());
    const DIST_DIR = withSettings(distOf('tracked'), { posthogHost: posthog.url });
    const site = await startSite({ DIST_DIR });
    ends.defer(() => site.remove());
    const engine = await (start as () => Promise<Engine>)();
    ends.defer(() => engine.close());
    const page = await engine.openPage();
    ends.defer(() => page.close());

    // Every part is awake, and the film plays with its captions.
    await page.go(`http://127.0.0.1:${site.port}/es/?ref=engine`);
    const until = <T>(ask: () => T, wanted: T) =>
      t.waitFor(async () => assert.deepEqual(await page.evaluate(ask), wanted), {
        timeout: 30_000,
      });
    await until(wakeAndLook, []);
    await page.click('video');
    await until(lookAtFilm, { isPlaying: true, captions: [firstCaption('es')] });

    // A press of the button is one line in the log and one event at PostHog.
    await page.click('[data-cta=hero]');
    const lines = () => site.lines().filter(({ referrer }) => referrer === 'engine');
    const events = () => posthog.merged().filter(({ event }) => event === 'cta_click');
    const [line] = await steadyCount(lines, 1, 'lines');
    const [event] = await steadyCount(events, 1, 'events');
    assert.equal(line?.event, 'hero_cta_click');
    assert.equal(event?.uuid, line?.id);
  });
}

/** Runs in the page. Scrolls to a part that has not loaded or moved in yet. Returns such parts. */
function wakeAndLook(): string[] {
  if (document.readyState !== 'complete' || !document.querySelector('main')) return ['the page'];
  const late = document.querySelectorAll('[data-island]:not([data-ready]), [data-reveal=waiting]');
  // React loads in a pause, so that endless scrolling would delay it.
  const hasReact = document.querySelector('[data-island=toaster][data-ready]') !== null;
  if (hasReact) late[0]?.scrollIntoView({ block: 'center', behavior: 'instant' });
  if (hasReact || scrollY === 0) scrollBy({ top: 1, behavior: 'instant' });
  return [...late].map((element) => element.outerHTML.slice(0, 80));
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
