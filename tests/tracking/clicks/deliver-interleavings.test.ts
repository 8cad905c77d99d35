import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTab, type Tab, World } from '../../helpers/fakes/delivery-world.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 31) }));
afterEach(() => void vi.useRealTimers());

const tabNumber = fc.nat({ max: 3 });

/** Everything that may happen to a browser, in any order. */
const happening = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('click' as const), tab: tabNumber }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hide' as const), tab: tabNumber }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wake' as const), tab: tabNumber }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('crash' as const), tab: tabNumber }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('network' as const), isDown: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      answer: fc.oneof(
        fc.record({
          status: fc.constantFrom(200, 200, 401, 403, 404, 408, 429, 500, 503),
          isLost: fc.boolean(),
        }),
        fc.constant({ status: 200, body: '<html>', type: 'text/html' }),
        fc.constant({ status: 200, isSilent: true }),
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('time' as const),
      ms: fc.constantFrom(0, 1, 299, 1000, 60_000),
    }),
  },
);
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

test('whatever happens, the clicks that the server has are the clicks that were made', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(happening, { maxLength: 45 }),
      fc.constantFrom(null, 50, 250, 900),
      async (happenings, lookupMs) => {
        const world = new World();
        world.lookupMs = lookupMs;
        const tabs = Array.from({ length: 4 }, () => openTab(world));
        const clicked = new Set<string>();
        for (const each of happenings) await play(each, world, tabs, clicked);

        // In the end the network is back, and somebody comes to the site once more.
        for (const tab of tabs) tab.crash();
        world.isDown = false;
        world.answers = [];
        openTab(world).delivery.wake();
        await vi.advanceTimersByTimeAsync(10 * 60_000);
        expect(world.ids()).toEqual(clicked);
        expect(world.storage?.length).toBe(0);
      },
    ),
    { numRuns: 300 },
  );
});

async function play(happening: Happening, world: World, tabs: Tab[], clicked: Set<string>) {
  switch (happening.kind) {
    case 'click':
      clicked.add((tabs[happening.tab] as Tab).click().id);
      break;
    case 'hide':
      tabs[happening.tab]?.delivery.flush();
      break;
    case 'wake':
      tabs[happening.tab]?.delivery.wake();
      break;
    case 'crash':
      tabs[happening.tab]?.crash();
      tabs[happening.tab] = openTab(world);
      break;
    case 'network':
      world.isDown = happening.isDown;
      break;
    case 'answer':
      world.answers.push(happening.answer);
      break;
    case 'time':
      await vi.advanceTimersByTimeAsync(happening.ms);
  }
}
