/** The pages that answer a form without script. The build makes them (pages/registered, pages/not-registered). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface FormAnswers {
  success: string;
  /** @param messages one per invalid field */
  faults(messages: string[]): string;
}

const PLACE = ' data-faults=""></ul>';

/** @throws if the build has no such page */
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
