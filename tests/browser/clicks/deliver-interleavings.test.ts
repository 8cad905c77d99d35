import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openTab, type Tab, World } from '../../helpers/fakes/delivery-world.ts';

beforeEach(() => void vi.useFakeTimers({ now: Date.UTC(2026, 0, 31) }));
afterEach(() => void vi.useRealTimers());

const tabNumber = fc.nat({ max: 3 });

/** Every event that a browser may meet, in any order. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('click' as const), tab: tabNumber }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hide' as const), tab: tabNumber }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('retry' as const), tab: tabNumber }) },
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
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

test('after any sequence of events, the server has exactly the clicks that were made', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 45 }),
      fc.constantFrom(null, 50, 250, 900),
      async (steps, lookupMs) => {
        const world = new World();
        world.lookupMs = lookupMs;
        const tabs = Array.from({ length: 4 }, () => openTab(world));
        const clicked = new Set<string>();
        for (const each of steps) await play(each, world, tabs, clicked);

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

async function play(step: Step, world: World, tabs: Tab[], clicked: Set<string>) {
  switch (step.kind) {
    case 'click':
      clicked.add((tabs[step.tab] as Tab).click().id);
      break;
    case 'hide':
      tabs[step.tab]?.delivery.flush();
      break;
    case 'retry':
      tabs[step.tab]?.delivery.retryNow();
      break;
    case 'crash':
      tabs[step.tab]?.crash();
      tabs[step.tab] = openTab(world);
      break;
    case 'network':
      world.isDown = step.isDown;
      break;
    case 'answer':
      world.answers.push(step.answer);
      break;
    case 'time':
      await vi.advanceTimersByTimeAsync(step.ms);
  }
}
