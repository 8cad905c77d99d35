import fc from 'fast-check';
import { beforeEach, expect, test, vi } from 'vitest';
import { type Answer, openTab, type Tab, World } from '../../helpers/fakes/delivery-world.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 31) }));

interface Browser {
  world: World;
  tabs: Tab[];
  clicked: Set<string>;
}

/** A step with its weight. The report of a failure has its name and value. */
const step = <T>(
  name: string,
  weight: number,
  values: fc.Arbitrary<T>,
  play: (browser: Browser, value: T) => unknown,
) => ({
  weight,
  arbitrary: values.map((value) => ({
    play: (browser: Browser) => play(browser, value),
    [fc.toStringMethod]: () => `${name} ${fc.stringify(value)}`,
  })),
});

const tab = fc.nat({ max: 3 });
const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.record({
    status: fc.constantFrom(200, 200, 401, 403, 404, 408, 429, 500, 503),
    isLost: fc.boolean(),
  }),
  fc.constant({ status: 200, body: '<html>', type: 'text/html' }),
  fc.constant({ status: 200, isSilent: true }),
);
const time = fc.constantFrom(0, 1, 299, 1000, 60_000);

/** Every event that a browser may meet, in any order. */
const anyStep = fc.oneof(
  step('click', 6, tab, ({ tabs, clicked }, n) => clicked.add((tabs[n] as Tab).click().id)),
  step('hide', 2, tab, ({ tabs }, n) => tabs[n]?.delivery.flush()),
  step('retry', 2, tab, ({ tabs }, n) => tabs[n]?.delivery.retryNow()),
  step('crash', 2, tab, ({ tabs, world }, n) => {
    tabs[n]?.crash();
    tabs[n] = openTab(world);
  }),
  step('network', 2, fc.boolean(), ({ world }, isDown) => {
    world.isDown = isDown;
  }),
  step('answer', 4, answer, ({ world }, next) => world.answers.push(next)),
  step('time', 4, time, (_, ms) => vi.advanceTimersByTimeAsync(ms)),
);

test('after any sequence of events, the server has exactly the clicks that were made', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { maxLength: 45 }),
      fc.constantFrom(null, 50, 250, 900),
      async (steps, lookupMs) => {
        const world = new World();
        world.lookupMs = lookupMs;
        const tabs = Array.from({ length: 4 }, () => openTab(world));
        const clicked = new Set<string>();
        for (const { play } of steps) await play({ world, tabs, clicked });

        // In the end the network is back, and the visitor opens the site once more.
        for (const tab of tabs) tab.crash();
        world.isDown = false;
        world.answers = [];
        openTab(world).delivery.retryNow();
        await vi.advanceTimersByTimeAsync(10 * 60_000);
        expect(world.ids()).toEqual(clicked);
        expect(world.storage?.length).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
});
