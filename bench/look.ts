/**
 * Pictures of a built site, and what differs between two sets of them: for a change of style that must not be seen.
 *
 *   node bench/look.ts capture <dist> <folder> [pattern of names]
 *   node bench/look.ts compare <folder> <folder>
 *
 * `capture` writes full pages in every language, at three or four widths and in both schemes, states and media. The form and its
 * answers need a build with VITE_REGISTER_FORM=on. `compare` prints how many pixels of each
 * picture differ and in which rows, and draws them into `<second folder>/diff`.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv, stdout } from 'node:process';
import { type Browser, chromium, type Page } from '@playwright/test';
import { PNG } from 'pngjs';
import { started } from '../tests/helpers/browser/page-steps.ts';
import { startSite } from '../tests/helpers/server/site-process.ts';
import { findChromium } from '../tools/find-chromium.ts';
import { ANSWERS, allShots, type Shot } from './look-shots.ts';

/** How far a colour channel may differ, of 255: two renderings of one curve are not equal to the bit. */
const TOLERANCE = 8;
const TABS = 3;

async function capture(dist: string, folder: string, pattern = ''): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const site = await startSite({ DIST_DIR: dist, TRUST_PROXY: 'loopback' });
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox'],
  });
  const origin = `http://127.0.0.1:${site.port}`;
  const { registerForm } = JSON.parse(readFileSync(join(dist, 'site.json'), 'utf8'));
  const named = allShots().filter(({ name }) => new RegExp(pattern).test(name));
  const shots = named.filter(({ needsForm }) => registerForm || !needsForm);
  if (shots.length < named.length)
    stdout.write('Without pictures of the form: build with VITE_REGISTER_FORM=on\n');
  const answers = registerForm ? await answersTo(origin) : new Map<string, string>();
  const takeAll = async () => {
    for (let shot = shots.shift(); shot; shot = shots.shift()) {
      const picture = await take(browser, shot, dist, origin, answers);
      writeFileSync(join(folder, `${shot.name}.png`), picture);
    }
  };
  await Promise.all(Array.from({ length: TABS }, takeAll));
  await browser.close();
  await site.remove();
}

/** The server's pages by the addresses of ANSWERS. Each form is sent once, because their rate is limited. */
async function answersTo(origin: string): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const [path, { language, form }] of Object.entries(ANSWERS)) {
    const body = new URLSearchParams(form);
    const answer = await fetch(`${origin}/api/register?language=${language}`, {
      method: 'POST',
      body,
    });
    pages.set(path, await answer.text());
  }
  return pages;
}

async function take(
  browser: Browser,
  shot: Shot,
  dist: string,
  origin: string,
  answers: Map<string, string>,
): Promise<Buffer> {
  const context = await browser.newContext({
    viewport: { width: shot.width, height: 900 },
    reducedMotion: 'reduce',
    bypassCSP: true,
    ...shot.context,
  });
  const page = await context.newPage();
  for (const [path, body] of answers) {
    await page.route(origin + path, (route) => route.fulfill({ contentType: 'text/html', body }));
  }
  await page.goto(origin + shot.path);
  if (shot.context?.javaScriptEnabled !== false) await dress(page, dist);
  await shot.act?.(page);
  const picture = await page.screenshot({
    fullPage: !shot.isBrief,
    animations: 'disabled',
    caret: 'hide',
  });
  await context.close();
  return picture;
}

/** Fonts in, images loaded, islands awake. */
async function dress(page: Page, dist: string): Promise<void> {
  const hasIslands = (await page.locator('[data-island=toaster]').count()) > 0;
  if (hasIslands) {
    await started(page);
    await page.mouse.move(3, 3);
    await page.mouse.move(5, 5);
    await page.locator('[data-island=toaster][data-ready]').waitFor({ state: 'attached' });
  }
  const fonts = readdirSync(join(dist, 'client/assets'), { recursive: true, encoding: 'utf8' });
  await page.evaluate(
    async (files) => {
      for (const file of files) {
        const isText = file.includes('atkinson');
        const family = isText ? 'Atkinson Hyperlegible Next' : 'Newsreader';
        const weight = isText ? '400 700' : '480';
        document.fonts.add(await new FontFace(family, `url(/assets/${file})`, { weight }).load());
      }
      for (let top = 0; top < document.body.scrollHeight; top += innerHeight) {
        scrollTo({ top, behavior: 'instant' });
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      }
      await Promise.all([...document.images].map((image) => image.decode().catch(() => {})));
      scrollTo({ top: 0, behavior: 'instant' });
    },
    fonts.filter((file) => file.endsWith('.woff2')),
  );
  const isAwake = () => document.querySelector('[data-island]:not([data-ready])') === null;
  if (hasIslands) await page.waitForFunction(isAwake);
  await page.mouse.move(0, 0);
}

function compare(before: string, after: string): void {
  mkdirSync(join(after, 'diff'), { recursive: true });
  const names = readdirSync(after).filter((name) => name.endsWith('.png'));
  for (const name of names) {
    const read = (folder: string) => PNG.sync.read(readFileSync(join(folder, name)));
    const [one, other] = [read(before), read(after)];
    const { count, rows, picture } = differences(one, other);
    writeFileSync(join(after, 'diff', name), PNG.sync.write(picture));
    const height = one.height === other.height ? '' : `, height ${one.height} → ${other.height}`;
    if (count > 0 || height) {
      stdout.write(
        `${name}: ${count} px, rows ${Math.min(...rows)} to ${Math.max(...rows)}${height}\n`,
      );
    }
  }
  stdout.write(`${names.length} pictures compared\n`);
}

/** The pixels that differ are red, on a pale copy of the second picture. */
function differences(one: PNG, other: PNG) {
  const width = Math.min(one.width, other.width);
  const picture = new PNG({ width, height: Math.min(one.height, other.height) });
  const rows = new Set<number>();
  let count = 0;
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < width; x++) {
      const a = one.data.subarray((y * one.width + x) * 4);
      const b = other.data.subarray((y * other.width + x) * 4);
      const isOther = [0, 1, 2].some((c) => Math.abs((a[c] ?? 0) - (b[c] ?? 0)) > TOLERANCE);
      const pale = 200 + ((b[0] ?? 0) >> 3);
      picture.data.set(isOther ? [255, 0, 0, 255] : [pale, pale, pale, 255], (y * width + x) * 4);
      if (!isOther) continue;
      count += 1;
      rows.add(y);
    }
  }
  return { count, rows: [...rows], picture };
}

const [command, one = '', other = '', pattern] = argv.slice(2);
if (command === 'capture') await capture(one, other, pattern);
else compare(one, other);
