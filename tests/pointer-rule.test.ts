import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Who may listen to a pointer going down: the signs of a visitor, and of an intent; none of them does what was pressed. */
const LISTENERS = ['browser/when-interacted.ts', 'tracking/start-tracking.ts'];

test('nothing acts when a pointer goes down: who moves off before letting go has changed their mind', () => {
  const files = globSync(
    '{browser,components,islands,pages,queries,renderer,tracking}/**/*.{ts,tsx}',
  );
  expect(files.length).toBeGreaterThan(50);
  const acting = files.filter((file) =>
    /pointerdown|mousedown|touchstart/i.test(readFileSync(file, 'utf8')),
  );
  expect(acting.sort()).toEqual(LISTENERS);
});
