/** Plays the film as a visitor does, and reads its captions. */
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
 * Starts or pauses the film with the keyboard, because each browser has the play button elsewhere.
 */
export async function toggleFilm(page: Page): Promise<void> {
  await page.locator('video').focus();
  await page.keyboard.press('Space');
}

/** Returns the captions that the film shows; none until it plays. Runs in the page. */
export function shownCaptions(): string[] {
  const { currentTime = 0, textTracks = [] } = document.querySelector('video') ?? {};
  return [...textTracks]
    .filter(({ mode }) => mode === 'showing' && currentTime > 0)
    .flatMap(({ activeCues }) => [...(activeCues ?? [])] as VTTCue[])
    .map(({ text }) => text);
}
