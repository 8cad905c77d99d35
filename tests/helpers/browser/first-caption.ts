import { readFileSync } from 'node:fs';
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
