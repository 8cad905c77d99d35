/** The film as a visitor plays it, and its captions. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { Language } from '#contract/language.ts';

const FILES: Record<Language, string> = {
  en: 'public/video/film.vtt',
  es: 'public/video/film-es.vtt',
};

/** Returns the words of the film's first caption, which its file shows from 0.5 s to 5.3 s. */
export function firstCaption(language: Language): string {
  const [, cue = ''] = readFileSync(FILES[language], 'utf8').split('\n\n');
  const [, , ...words] = cue.trim().split('\n');
  return words.join('\n');
}

/**
 * Starts the film, or pauses it, with the keyboard, because the place of the play button is the
 * browser's affair.
 */
export async function toggleFilm(page: Page): Promise<void> {
  await page.locator('video').focus();
  await page.keyboard.press('Space');
}

/** The captions that the film shows, once it has played; empty before. Runs in the page. */
export function shownCaptions(): string[] {
  const { currentTime = 0, textTracks = [] } = document.querySelector('video') ?? {};
  return [...textTracks]
    .filter(({ mode }) => mode === 'showing' && currentTime > 0)
    .flatMap(({ activeCues }) => [...(activeCues ?? [])] as VTTCue[])
    .map(({ text }) => text);
}
