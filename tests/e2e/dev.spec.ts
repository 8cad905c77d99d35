/** `npm run dev` as a developer uses it, with a browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test as base, expect } from '@playwright/test';
import { findHeadlessChromium } from '../helpers/browser/chromium.ts';
import { type DevProcess, startDev } from '../helpers/server/dev-process.ts';
import { distOf } from './build-sites.ts';

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

/** Edits again if nothing happens, because a watcher can miss one of two changes within milliseconds, which no editor makes. */
const untilSeen = (edit: (timeout: number) => Promise<void>) =>
  expect(() => edit(5000)).toPass(SEEN);

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
  const rename = (from: string, to: string) =>
    dev.edit('words/en/landing.ts', (text) =>
      text.replace(`headline: ['${from}`, `headline: ['${to}`),
    );
  await untilSeen(async (timeout) => {
    rename('', 'Changed: ');
    await expect(heading).toContainText('Changed: ', { timeout });
  });

  let edits = 0;
  const setName = (quote: string) => {
    edits += 1;
    const name = `: ${quote}${edits}${quote},`;
    dev.edit('site.json', (text) => text.replace(/(?<="productName").*/, name));
  };
  await untilSeen(async (timeout) => {
    setName('"');
    await expect(page.getByRole('banner')).toContainText(`${edits}`, { timeout });
  });

  dev.edit('pages/index/hero.tsx', (text) => text.replace('</section>', '</sectio>'));
  await expect.poll(() => status('/'), SEEN).toBe(500);
  expect(dev.said()).toContain('pages/index/hero.tsx');
  dev.edit('pages/index/hero.tsx', (text) => text.replace('</sectio>', '</section>'));
  await expect.poll(() => status('/'), SEEN).toBe(200);

  await untilSeen(async (timeout) => {
    setName('');
    await expect.poll(() => status('/'), { timeout }).toBe(500);
  });
  expect(dev.said()).toContain('productName must be a text in quotes');
  await untilSeen(async (timeout) => {
    setName('"');
    await expect.poll(() => status('/'), { timeout }).toBe(200);
  });

  const starts = () => dev.said().split('Server listening at').length;
  const before = starts();
  dev.edit('server/watch/watch.ts', (text) => `${text}\n`);
  await expect.poll(starts, SEEN).toBeGreaterThan(before);
  await expect.poll(() => status('/healthz'), SEEN).toBe(200);
});
