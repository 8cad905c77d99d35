/** `npm run dev` as a developer uses it, with a browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { findHeadlessChromium } from '../helpers/browser/chromium.ts';
import { distOf } from '../helpers/run/build-sites.ts';
import { type DevProcess, startDev } from '../helpers/server/dev-process.ts';

const executablePath = findHeadlessChromium();
const test = base.extend<{ dev: DevProcess }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures.
  dev: async ({}, use) => {
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'data-'));
    const dev = await startDev({ DATA_DIR, dist: resolve(distOf('tracked')) });
    await use(dev);
    await dev.stop();
    rmSync(DATA_DIR, { recursive: true, force: true });
  },
});
test.use({ launchOptions: { args: ['--no-sandbox'], ...(executablePath && { executablePath }) } });
test.setTimeout(180_000);
const SEEN = { timeout: 60_000 };

test('a change is in the tab, a fault names its file, the server starts again, and Ctrl-C ends all', async ({
  page,
  dev,
}) => {
  const status = async (path: string) =>
    fetch(dev.url + path).then(
      (answer) => answer.status,
      () => null,
    );
  await expect.poll(() => status('/healthz'), SEEN).toBe(200);
  await page.goto(dev.url);
  const heading = page.getByRole('heading', { level: 1 });
  // Edits again, because a watcher can miss one of two changes within milliseconds, which no editor makes.
  await expect(async () => {
    dev.edit('words/en/landing.ts', (text) =>
      text.replace("headline: ['", "headline: ['Changed: "),
    );
    await expect(heading).toContainText('Changed: ', { timeout: 5000 });
  }).toPass(SEEN);

  dev.edit('pages/index/hero.tsx', (text) => text.replace('</section>', '</sectio>'));
  await expect.poll(() => status('/'), SEEN).toBe(500);
  expect(dev.said()).toContain('pages/index/hero.tsx');
  dev.edit('pages/index/hero.tsx', (text) => text.replace('</sectio>', '</section>'));
  await expect.poll(() => status('/'), SEEN).toBe(200);

  const starts = () => dev.said().split('Server listening at').length;
  const before = starts();
  dev.edit('server/watch/watch.ts', (text) => `${text}\n`);
  await expect.poll(starts, SEEN).toBeGreaterThan(before);
  await expect.poll(() => status('/healthz'), SEEN).toBe(200);
});
