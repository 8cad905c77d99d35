/** The pages that answer a form which was sent without script; the build makes them (pages/registered, not-registered). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FormAnswers {
  success: string;
  /** @param messages what is wrong, one per field */
  faults(messages: string[]): string;
}

const PLACE = ' data-faults=""></ul>';

/** @throws where the build left none */
export function readFormAnswers(distDir: string): FormAnswers {
  const read = (page: string) => readFileSync(join(distDir, 'answers', page), 'utf8');
  const problem = read('not-registered.html');
  return {
    success: read('registered.html'),
    faults: (messages) => problem.replace(PLACE, () => `>${messages.map(listItem).join('')}</ul>`),
  };
}

const listItem = (text: string) =>
  `<li>${text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)}</li>`;
