/** The pages that answer a form without script. The build makes them (pages/registered, pages/not-registered). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LANGUAGES, type Language, pathIn } from '#contract/language.ts';
import { escapeHtml } from '../text/escape-html.ts';

export interface FormAnswers {
  success: string;
  /**
   * @param messages by the name of their field
   * @param typed the form's values, to fill it again; null if the server has not read them
   */
  faults(messages: Record<string, string>, typed: Record<string, unknown> | null): string;
}

/** The place of a message (pages/not-registered). Messages of no field on the page have the place `form`. */
const PLACE = /\{\{(\w+)\}\}/g;
/** The places of values and of messages. */
const INSERTED = / data-(value|choice)="([^"]*)"|\{\{(\w+)\}\}/g;

/** @throws if the build lacks such a page in any language, or if the page has no place for messages */
export function readFormAnswers(distDir: string): Record<Language, FormAnswers> {
  const entries = LANGUAGES.map((language) => [language, readAnswers(distDir, language)]);
  return Object.fromEntries(entries);
}

function readAnswers(distDir: string, language: Language): FormAnswers {
  const read = (page: string) =>
    readFileSync(join(distDir, 'answers', `${pathIn(language, page)}.html`), 'utf8');
  const page = read('/not-registered');
  const names = new Set([...page.matchAll(PLACE)].map(([, name = '']) => name));
  if (!names.has('form'))
    throw new Error('answers/not-registered.html has no {{form}}; build the site again');
  return {
    success: read('/registered'),
    faults: (messages, typed) => fillPage(page, names, messages, typed),
  };
}

function fillPage(
  page: string,
  names: ReadonlySet<string>,
  messages: Record<string, string>,
  typed: Record<string, unknown> | null,
): string {
  const shown = Map.groupBy(Object.entries(messages), ([name]) =>
    names.has(name) ? name : 'form',
  );
  const textOf = (name: string) =>
    shown
      .get(name)
      ?.map(([, message]) => escapeHtml(message))
      .join('</li><li>') ?? '';
  // First the cuts, because they must not reach into inserted text.
  const cut = [...names].filter((name) => !shown.has(name)).reduce(withoutError, page);
  return withForm(shown.has('message') ? withTrap(cut) : cut, typed !== null).replace(
    INSERTED,
    (_, kind?: string, value = '', name = '') => {
      if (kind === undefined) return textOf(name);
      return kind === 'value' ? valueAttribute(typed?.[value]) : choiceAttribute(value, typed);
    },
  );
}

/** The two places of an error's message, each with the name of its field. */
const LISTED = /<li>(?:<a [^<>]*>)?\{\{(\w+)\}\}(?:<\/a>)?<\/li>/g;
const BESIDE_CONTROL = /<p [^<>]*>\{\{(\w+)\}\}<\/p>/g;

/** Leaves out the error of one field: its line in the list, its message, and the attributes of its control. */
const withoutError = (page: string, name: string): string =>
  page
    .replace(LISTED, (line, listed: string) => (listed === name ? '' : line))
    .replace(BESIDE_CONTROL, (line, beside: string) => (beside === name ? '' : line))
    .replace(` aria-invalid="true" aria-describedby="register-${name}-message"`, '');

/** Keeps either the form, or the sentence that the browser still has what the visitor typed. */
const withForm = (page: string, hasValues: boolean): string =>
  hasValues ? without(page, '<p data-unread>', '</p>') : without(page, '<form', '</form>');

/** Leaves out the first part of the page from `start` to `end`, both included. */
function without(page: string, start: string, end: string): string {
  const from = page.indexOf(start);
  const to = page.indexOf(end, from);
  return from < 0 || to < 0 ? page : page.slice(0, from) + page.slice(to + end.length);
}

/** Makes the field against robots reachable, because the visitor has to empty it. */
const withTrap = (page: string): string =>
  page
    .replace(' aria-hidden="true" data-trap', ' data-trap')
    .replace(' tabindex="-1" id="register-message"', ' id="register-message"');

const valueAttribute = (value: unknown): string =>
  typeof value === 'string' ? ` value="${escapeHtml(value)}"` : '';

/** @param choice the name of the control, and the value that it sends */
function choiceAttribute(choice: string, typed: Record<string, unknown> | null): string {
  const [name = '', value] = choice.split('=');
  const chosen = typed?.[name];
  return chosen === value || chosen === true ? ' checked' : '';
}
