/**
 * Makes the film: public/video/film.mp4, film.vtt and film-es.vtt, from its scripts and film.tsx.
 *
 *   npm run film                              everything, in a few minutes
 *   npm run film -- --captions                only the captions
 *   npm run film -- --stills FOLDER 4 12.5    only these seconds, as PNG files in FOLDER
 *
 * The files are committed. Run it again when the script, a scene or a drawing in illustrations/ changes.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { runnerImport } from 'vite';
import { FILM_SECONDS, SCENES } from '#words/en/film-script.ts';
import { SPANISH_SCENES } from '#words/es/film-script.ts';
import { findChromium } from '../find-chromium.ts';
import { makeCaptions } from './captions.ts';
import { startEncoding } from './encode.ts';
import type * as FilmModule from './film.tsx';
import { filmDocument } from './film-document.ts';
import { ensureFfmpeg } from './find-tools.ts';

const FRAMES_PER_SECOND = 24;
const root = fileURLToPath(new URL('../..', import.meta.url));
const out = `${root}public/video/`;

const [, , option, folder = '.', ...seconds] = process.argv;
if (option !== '--stills') writeCaptions();
if (option !== '--captions') {
  const camera = await openCamera();
  await (option === '--stills' ? makeStills(camera) : makeFilm(camera));
  await camera.close();
}

type Camera = Awaited<ReturnType<typeof openCamera>>;

function writeCaptions(): void {
  writeFileSync(`${out}film.vtt`, makeCaptions(SCENES));
  writeFileSync(`${out}film-es.vtt`, makeCaptions(SPANISH_SCENES));
}

async function makeStills(camera: Camera): Promise<void> {
  for (const second of seconds) {
    writeFileSync(`${folder}/film-${second}.png`, await camera.shoot(Number(second)));
  }
}

async function makeFilm(camera: Camera): Promise<void> {
  ensureFfmpeg();
  const film = startEncoding(`${out}film.mp4`, FRAMES_PER_SECOND);
  for (let frame = 0; frame < FILM_SECONDS * FRAMES_PER_SECOND; frame += 1) {
    await film.add(await camera.shoot(frame / FRAMES_PER_SECOND));
  }
  await film.finish();
}

/** Starts a Chromium that renders any second of the film. An unchanged frame is not rendered again. */
async function openCamera() {
  const { Film } = await loadFilm();
  const executablePath = findChromium();
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--force-color-profile=srgb'],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setContent(filmDocument(root));
  await page.evaluate(() => document.fonts.load('480 1em Newsreader'));
  const main = page.locator('main');
  let last: { markup: string; png: Uint8Array } = { markup: '', png: new Uint8Array() };
  return {
    async shoot(at: number): Promise<Uint8Array> {
      const markup = renderToStaticMarkup(createElement(Film, { at }));
      if (markup === last.markup) return last.png;
      await main.evaluate((element, html) => {
        element.innerHTML = html;
      }, markup);
      last = { markup, png: await page.screenshot() };
      return last.png;
    },
    close: () => browser.close(),
  };
}

/** Loads the scenes through Vite, because Node does not run TSX. */
async function loadFilm(): Promise<typeof FilmModule> {
  const path = fileURLToPath(new URL('./film.tsx', import.meta.url));
  const { module } = await runnerImport<typeof FilmModule>(path, { root, configFile: false });
  return module;
}
