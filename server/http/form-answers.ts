/** The pages that answer a form without script. The build makes them (pages/registered, pages/not-registered). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language, pathIn } from '#contract/language.ts';

export interface FormAnswers {
  success: string;
  /** @param messages one per invalid field */
  faults(messages: string[]): string;
}

const PLACE = ' data-faults=""></ul>';

/** @throws if the build lacks such a page in any language */
export function readFormAnswers(distDir: string): Record<Language, FormAnswers> {
  const entries = LANGUAGES.map((language) => [language, readAnswers(distDir, language)]);
  return Object.fromEntries(entries);
}

function readAnswers(distDir: string, language: Language): FormAnswers {
  const read = (page: string) =>
    readFileSync(join(distDir, 'answers', `${pathIn(language, page)}.html`), 'utf8');
  const problem = read('/not-registered');
  return {
    success: read('/registered'),
    faults: (messages) => problem.replace(PLACE, () => `>${messages.map(listItem).join('')}</ul>`),
  };
}

const listItem = (text: string) =>
  `<li>${text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)}</li>`;
