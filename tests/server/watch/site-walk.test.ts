/** The server walks its own public address: each planted fault is named within the hour, and none is invented. */
import { expect, test } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../../../server/time.ts';
import { HARMLESS, PLANTED } from '../../helpers/fakes/planted-site-faults.ts';
import { NEVER, openWorld, pass } from '../../helpers/server/planted-site.ts';

test('each planted fault is named within the hour', { timeout: 60_000 }, async () => {
  const names = [...PLANTED, ...HARMLESS].map(({ name }) => name);
  expect([PLANTED.length >= 30, new Set(names).size]).toEqual([true, names.length]);
  const { world, openWatch } = await openWorld();
  const wrong: Record<string, string[]> = {};
  for (const { name, plant, named, isSilent } of PLANTED) {
    world.plant = plant;
    const watch = openWatch({ patienceMs: isSilent ? 100 : 5000 });
    await pass(world, HOUR_MS, () => watch.step(NEVER));
    if (!named.test(watch.reasons().join('\n'))) wrong[name] = watch.reasons();
  }
  expect(wrong).toEqual({});
});

test('the whole real build has no fault', { timeout: 60_000 }, async () => {
  const { world, openWatch } = await openWorld({ isPart: false });
  const watch = openWatch();
  await pass(world, 10 * MINUTE_MS, () => watch.step(NEVER));
  expect(watch.facts()).toEqual([]);
});

test('what hurts no visitor is not named', { timeout: 60_000 }, async () => {
  const { world, openWatch } = await openWorld();
  for (const { name, plant } of HARMLESS) {
    world.plant = plant;
    const watch = openWatch();
    await pass(world, 10 * MINUTE_MS, () => watch.step(NEVER));
    expect([name, watch.facts()]).toEqual([name, []]);
  }
});
