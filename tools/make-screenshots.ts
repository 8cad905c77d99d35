/**
 * Takes screenshots of the running site: docs/images/page.png for the README, and the whole page at phone, tablet and desktop
 * widths, light and dark, to look at.
 *
 *   npm start, and in another shell: node tools/make-screenshots.ts [http://localhost:3000]
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright';
import { findChromium } from './find-chromium.ts';

const WIDTHS = [320, 768, 1440];
const SCHEMES = ['light', 'dark'] as const;
const FIRST_SCREEN = { width: 1440, height: 900 };
/** Sufficient to judge a layout. */
const JPEG_QUALITY = 55;

const url = process.argv[2] ?? 'http://localhost:3000';
const out = fileURLToPath(new URL('../docs/images/', import.meta.url));
mkdirSync(out, { recursive: true });
const executablePath = findChromium();
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: ['--no-sandbox'],
});
await photographFirstScreen(browser);
for (const width of WIDTHS) {
  for (const scheme of SCHEMES) await photographPage(browser, width, scheme);
}
await browser.close();

async function photographFirstScreen(browser: Browser): Promise<void> {
  const page = await browser.newPage({ viewport: FIRST_SCREEN, colorScheme: 'light' });
  await page.goto(url, { waitUntil: 'networkidle' });
  await page.screenshot({ path: `${out}page.png` });
  await page.close();
}

async function photographPage(browser: Browser, width: number, scheme: 'light' | 'dark') {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  await page.goto(url, { waitUntil: 'networkidle' });
  await readThrough(page);
  await page.screenshot({
    path: `${out}${width}-${scheme}.jpg`,
    fullPage: true,
    type: 'jpeg',
    quality: JPEG_QUALITY,
  });
  await page.close();
}

/** Scrolls through the page, so that everything has moved in, and back to its top. */
async function readThrough(page: Page): Promise<void> {
  await page.mouse.move(3, 3);
  while (await page.locator('[data-reveal=waiting], [data-island]:not([data-ready])').count()) {
    await page.mouse.wheel(0, 500);
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const isAtEnd = await page.evaluate(
      () => scrollY + innerHeight >= document.documentElement.scrollHeight - 1,
    );
    if (isAtEnd) await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  }
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await page.waitForFunction(() =>
    document.getAnimations().every(({ playState }) => playState !== 'running'),
  );
}
