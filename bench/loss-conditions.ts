/** Every way in which a click's event may fail to reach PostHog. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Browser } from 'playwright';
import type { Stage } from './loss-stage.ts';
import { clickAndBreak, clickAndClose, clickAndStay, clickWhileAway } from './loss-visits.ts';

export interface Condition {
  /** For `--only`. */
  name: string;
  title: string;
  /** A click that is later than this, or than this after the fault's end, is lost. */
  withinMs: number;
  /** Makes the clicks. @param faultMs PostHog's own faults last that long at least */
  run(browser: Browser, stage: Stage, tries: number, faultMs: number): Promise<void>;
}

/** Tabs at the same time. More would compete for the processor, and change the moments. */
const TABS = 3;
const MINUTE_MS = 60_000;
const WITHIN_MS = 2 * MINUTE_MS;
/** Killed that much later with each try. */
const KILL_STEP_MS = 50;

/** Runs `act` once for each try, in some tabs at the same time. */
async function inTabs(tries: number, act: (n: number) => Promise<void>, tabs = TABS) {
  let next = 0;
  const tab = async () => {
    while (next < tries) await act(next++);
  };
  await Promise.all(Array.from({ length: tabs }, tab));
}

const closes = [0, 50, 300, 1000].map((ms): Condition => {
  const title = `tab closed ${ms} ms after a click at the first paint, slow network`;
  return {
    name: `close-${ms}`,
    title,
    withinMs: WITHIN_MS,
    async run(browser, stage, tries) {
      const real: number[] = [];
      await inTabs(tries, async () => void real.push(await clickAndClose(browser, stage, ms)));
      real.sort((a, b) => a - b);
      process.stderr.write(`close-${ms}: closed after ${real[0]} to ${real.at(-1)} ms\n`);
    },
  };
});

const staying = (name: string, title: string, how: Parameters<typeof clickAndStay>[2]) => ({
  name,
  title,
  withinMs: WITHIN_MS,
  run: (browser: Browser, stage: Stage, tries: number) =>
    inTabs(tries, () => clickAndStay(browser, stage, how)),
});

/** PostHog has a fault during all clicks, and as long as the fault lasts. */
const faulty = (
  name: string,
  title: string,
  fault: 'isDown' | 'isOverQuota',
  withinMs: number,
): Condition => ({
  name,
  title,
  withinMs,
  async run(browser, stage, tries, faultMs) {
    const { world } = stage.posthog;
    const lasted = wait(faultMs);
    world[fault] = true;
    await inTabs(tries, () => clickAndStay(browser, stage));
    await lasted;
    world[fault] = false;
    stage.healedAt = Date.now();
  },
});

const killed: Condition = {
  name: 'killed',
  title: 'server killed (SIGKILL) 0 to 1 s after each click, and started again',
  withinMs: WITHIN_MS,
  run: (browser, stage, tries) =>
    inTabs(
      tries,
      (n) =>
        clickAndBreak(browser, stage, async () => {
          await wait((n * KILL_STEP_MS) % 1000);
          await stage.site.stop('SIGKILL');
          await stage.site.start();
        }),
      1,
    ),
};

/** Every page is open before the server is killed, because a page cannot be opened without a server. */
const away: Condition = {
  name: 'away',
  title: 'our server, and so the proxy, away for a minute; the page is open',
  // A page tries again after 1, 2, 4 … s; after a minute the pause is up to 64 s. The event's own minute comes on top.
  withinMs: WITHIN_MS + MINUTE_MS,
  async run(browser, stage, tries) {
    const { promise: isAway, resolve: goAway } = Promise.withResolvers<void>();
    let open = 0;
    const opened = () => {
      open += 1;
    };
    const visits = inTabs(tries, () => clickWhileAway(browser, stage, { opened, isAway }), tries);
    while (open < tries) await wait(100);
    await stage.site.stop('SIGKILL');
    goAway();
    await wait(MINUTE_MS);
    await stage.site.start();
    stage.healedAt = Date.now();
    await visits;
  },
};

export const CONDITIONS: readonly Condition[] = [
  ...closes,
  staying('script', 'no script file arrives', { stops: ['*.js'] }),
  staying('ping', 'JavaScript is off: Chromium’s ping', { noScript: true }),
  staying('blocker', 'a blocker stops /k/e/ in the browser', { stops: ['*/k/e/*'] }),
  faulty('down', 'PostHog down', 'isDown', WITHIN_MS),
  away,
  killed,
  faulty('quota', 'PostHog over quota', 'isOverQuota', WITHIN_MS),
];
