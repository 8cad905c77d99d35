/** Each letter of a page is in the page's own typefaces, which have only the letters of English and Spanish. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expect, settle, test } from './fixtures.ts';
import { EVERY_LANGUAGE, everyHelpPageIn, landingIn } from './routes.ts';

const TYPEFACES = [
  { family: 'Newsreader', weight: '480', file: 'newsreader-display' },
  { family: 'Atkinson Hyperlegible Next', weight: '400 700', file: 'atkinson-text' },
];

for (const language of EVERY_LANGUAGE) {
  test(`no letter comes from another typeface (${language})`, async ({ page }) => {
    for (const path of [landingIn(language), ...everyHelpPageIn(language)]) {
      await page.goto(path);
      if (path === landingIn(language)) await settle(page);
      await applyTypefaces(page);
      expect.soft(await strangers(page), path).toEqual([]);
    }
  });
}

/** Applies both at once, because a help page may leave them out of a first visit. Code has a typeface of the visitor's. */
async function applyTypefaces(page: Page): Promise<void> {
  const faces = TYPEFACES.map(({ file, ...face }) => {
    const bytes = readFileSync(new URL(`../../renderer/fonts/${file}.woff2`, import.meta.url));
    return { ...face, base64: bytes.toString('base64') };
  });
  await page.evaluate(async (faces) => {
    for (const { family, weight, base64 } of faces) {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      document.fonts.add(await new FontFace(family, bytes, { weight }).load());
    }
    for (const code of document.querySelectorAll('code')) code.remove();
  }, faces);
}

/** @returns the words of each element that another typeface helps to draw, with its name */
async function strangers(page: Page): Promise<string[]> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('DOM.enable');
  await cdp.send('CSS.enable');
  const { root } = await cdp.send('DOM.getDocument');
  const { nodeIds } = await cdp.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    selector: 'body *',
  });
  const found: string[] = [];
  for (const nodeId of nodeIds) {
    const { fonts } = await cdp.send('CSS.getPlatformFontsForNode', { nodeId });
    const others = fonts.filter((font) => !font.isCustomFont).map((font) => font.familyName);
    if (others.length === 0) continue;
    const { outerHTML } = await cdp.send('DOM.getOuterHTML', { nodeId });
    found.push(`${others}: ${outerHTML.slice(0, 200)}`);
  }
  await cdp.detach();
  return found;
}
