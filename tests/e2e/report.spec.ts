/** The HTML file of `clicks report`, as the command writes it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, type Page, test } from '@playwright/test';
import { axeComplaints } from '../helpers/browser/axe.ts';
import { findHeadlessChromium } from '../helpers/browser/headless-chromium.ts';
import { pageLook } from '../helpers/browser/page-look.ts';
import { makeOddLedgers } from '../helpers/server/report-ledger.ts';

const executablePath = findHeadlessChromium();
test.use({ launchOptions: executablePath ? { executablePath } : {} });

let folder = '';
let file = '';
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'report-'));
  const [dataDir = '', other = ''] = makeOddLedgers(folder, 271, 600);
  file = join(folder, 'report.html');
  const args = [
    'report',
    '--top',
    '6',
    '--days',
    '14',
    '--ledger',
    other,
    '--as-of',
    '2026-01-30T12:00:00Z',
    '--to',
    file,
  ];
  execFileSync(process.execPath, ['cli/clicks.ts', ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
  });
});

test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Contrast of the texts that axe leaves out, on the page's own ground. */
const palestText = async (page: Page) =>
  page.evaluate(
    ({ parse, contrast }) => {
      const paper = parse(getComputedStyle(document.body).backgroundColor);
      const texts = [...document.querySelectorAll('svg text, code')];
      const colours = texts.map((text) => {
        const { fill, color } = getComputedStyle(text);
        return parse(text.matches('code') ? color : fill);
      });
      return Math.min(...colours.map((colour) => contrast(colour, paper)));
    },
    await pageLook(page),
  );

const open = (page: Page) => page.goto(pathToFileURL(file).href);

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the ${colorScheme} report has no fault that axe finds, and fits every width`, async ({
    page,
  }) => {
    await page.emulateMedia({ colorScheme });
    await open(page);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) details.open = true;
    });
    // axe cannot decide about texts in a drawing and in a region that scrolls.
    const undecided = /^color-contrast.* \(undecided\): <(?:text|tspan|code)/;
    const complaints = await axeComplaints(page);
    expect(complaints.filter((text) => !undecided.test(text))).toEqual([]);
    expect(await palestText(page)).toBeGreaterThan(7);
    for (const width of [320, 768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll('svg text')]
          .map((text) => [text.textContent, text.getBoundingClientRect().height] as const)
          .filter(([text, height]) => text && height > 0 && height < 12),
      );
      expect(small).toEqual([]);
    }
  });
}

test('the report is one file without script that asks for nothing', async ({ page }) => {
  const requests: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await open(page);
  await page.evaluate(() => document.fonts.ready);
  expect(requests.filter((url) => !url.startsWith('data:'))).toHaveLength(1);
  expect(complaints).toEqual([]);
  expect(readFileSync(file, 'utf8')).not.toMatch(/<script|javascript:|<link|@import|src="|href="/);
  const drawings = page.locator('section:has(> h2:text("Clicks by ref")) svg:visible');
  await expect(drawings).toHaveCount(1);
  await expect(drawings.getByText('Zürich 🏥')).toBeVisible();
});
