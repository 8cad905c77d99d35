/** The first step of the suites in a new clone. */
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import ensureBuild from './ensure-build.ts';

test('builds the site as for visitors if there is no build, and otherwise does nothing', async () => {
  mkdirSync('node_modules/.cache', { recursive: true });
  // Vike builds only into folders inside the project.
  const dist = mkdtempSync('node_modules/.cache/dist-');
  onTestFinished(() => rmSync(dist, { recursive: true, force: true }));
  vi.stubEnv('DIST_DIR', dist);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await ensureBuild();
  await ensureBuild();
  expect(write.mock.calls).toEqual([[`There is no build in ${dist}: running npm run build\n`]]);
  const scripts = globSync(join(dist, 'client/**/*.js')).map((file) => readFileSync(file, 'utf8'));
  expect(scripts.length).toBeGreaterThan(5);
  const isForDevelopers = (code: string) => code.includes('Check the render method of');
  expect(scripts.some(isForDevelopers)).toBe(false);
  vi.unstubAllEnvs();
});
