/** `npm run dev` in a real browser: a page's fault names its cause, and the tab recovers by itself. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import { findHeadlessChromium } from '../helpers/browser/headless-chromium.ts';
import { type DevProcess, replace, startDev } from '../helpers/server/dev-process.ts';
import { distOf } from './build-sites.ts';

const START_MS = 180_000;

/** One process for all tests of this file. Each test puts back the file that it has changed. */
const test = base.extend<{ edit: Edit }, { dev: DevProcess }>({
  dev: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures.
    async ({}, use) => {
      const data = mkdtempSync(join(tmpdir(), 'data-'));
      const dev = await startDev({ DATA_DIR: data, dist: resolve(distOf('tracked')) });
      await use(dev);
      dev.stop();
      rmSync(data, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: START_MS },
  ],
  edit: async ({ dev }, use) => {
    const texts = new Map<string, string>();
    const edit: Edit = (file, change) => {
      const path = join(dev.path, file);
      if (!texts.has(path)) texts.set(path, readFileSync(path, 'utf8'));
      replace(path, change);
    };
    await use(edit);
    for (const [path, text] of texts) writeFileSync(path, text);
  },
});
type Edit = (file: string, change: (text: string) => string) => void;

const executablePath = findHeadlessChromium();
test.use({ launchOptions: { args: ['--no-sandbox'], ...(executablePath && { executablePath }) } });

/** A watcher can miss one of two changes within milliseconds, which no editor makes. So a test saves until the change is seen. */
const SEEN = { timeout: 10_000 };

const heading = (page: Page) => page.getByRole('heading', { level: 1 });
const overlay = (page: Page) => page.locator('vite-error-overlay');

interface Fault {
  file: string;
  change: (text: string) => string;
  /** What the overlay says. */
  cause: RegExp;
}

const FAULTS: Record<string, Fault> = {
  'a syntax error in a section': {
    file: 'pages/index/hero.tsx',
    change: (text) => text.replace('</section>', '</sectio>'),
    cause: /closing tag for 'section'[\s\S]*pages\/index\/hero\.tsx/i,
  },
  'a syntax error in the inline stub': {
    file: 'tracking/inline/capture-inline.ts',
    change: (text) => `export const = 1;\n${text}`,
    cause: /tracking\/inline\/capture-inline\.ts/,
  },
};

for (const [title, { file, change, cause }] of Object.entries(FAULTS)) {
  test(`${title} names its cause in the open tab and in a new one, and both recover after the correction`, async ({
    page,
    context,
    dev,
    edit,
  }) => {
    await page.goto(dev.url);
    await expect(heading(page)).toBeVisible();
    const right = readFileSync(join(dev.path, file), 'utf8');
    await expect(() => {
      edit(file, () => change(right));
      return expect(overlay(page)).toContainText(cause, SEEN);
    }).toPass();
    const other = await context.newPage();
    await other.goto(dev.url);
    await expect(overlay(other)).toContainText(cause);

    await expect(async () => {
      edit(file, () => right);
      for (const tab of [page, other]) {
        await expect(heading(tab)).toBeVisible(SEEN);
        await expect(overlay(tab)).toHaveCount(0, SEEN);
      }
    }).toPass();
  });
}

test('a change of a style sheet is in the open tab', async ({ page, dev, edit }) => {
  await page.goto(dev.url);
  await expect(heading(page)).toBeVisible();
  await expect(() => {
    edit('renderer/css/landing.css', (text) => `${text}\nhtml { outline: 7px solid red; }\n`);
    return expect(page.locator('html')).toHaveCSS('outline-width', '7px', SEEN);
  }).toPass();
});

test('changed words are in the open tab, and the server starts again for those that it reads', async ({
  page,
  dev,
  edit,
}) => {
  await page.goto(dev.url);
  await expect(heading(page)).toBeVisible();
  await expect(() => {
    edit('words/en/landing.ts', (text) =>
      text.replace(/headline: \['[^']*'/, "headline: ['Changed'"),
    );
    return expect(heading(page)).toContainText('Changed', SEEN);
  }).toPass();

  const answer = () =>
    fetch(`${dev.url}/api/register?language=es`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: dev.url },
      body: JSON.stringify({ firstName: 'A' }),
    }).then((response) => response.text());
  await expect(() => {
    edit('words/es/register-messages.ts', (text) =>
      text.replace('debe tener al menos', 'cambiado por la prueba'),
    );
    return expect.poll(answer, SEEN).toContain('cambiado por la prueba');
  }).toPass();
});
