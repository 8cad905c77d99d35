import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Files that may listen to pointerdown: they detect a visitor or an intent, and perform no action. */
const LISTENERS = ['browser/idle.ts', 'browser/start-delivery.ts'];

test('no action listens to pointerdown, so that a visitor can cancel a press by moving away', () => {
  const files = globSync('{browser,components,pages,renderer}/**/*.{ts,tsx}');
  expect(files.length).toBeGreaterThan(50);
  const acting = files.filter((file) =>
    /pointerdown|mousedown|touchstart/i.test(readFileSync(file, 'utf8')),
  );
  expect(acting.sort()).toEqual(LISTENERS);
});
