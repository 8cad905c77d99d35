/**
 * Links of the report. Each keeps the whole question, so that an address can be sent to a
 * colleague.
 */
import { escapeHtml } from '../../html/safe-text.ts';
import type { Question } from '../question.ts';

/** Parameters that differ from the present address; null: without it. */
type Changes = Record<string, string | null>;

export const dates = (from: string, to: string): Changes => ({ days: null, from, to });

export function queryOf({ parameters }: Question, changes: Changes): string {
  const set = Object.entries({ ...parameters, ...changes }).filter(([, value]) => value);
  return `?${String(new URLSearchParams(set as [string, string][])).replaceAll('%2F', '/')}`;
}

export type Links = ReturnType<typeof createLinks>;

/** @param hasLinks otherwise links are their words alone */
export function createLinks(question: Question, hasLinks: boolean) {
  const to = (changes: Changes, words: string, attributes = '', path = '') =>
    hasLinks
      ? `<a href="${path}${escapeHtml(queryOf(question, changes))}"${attributes}>${words}</a>`
      : words;
  /** The query of a table, and its rows. */
  const downloads = (by: string, name: string) => {
    if (!hasLinks) return '';
    const of = `<span class="vh"> of ${name}</span>`;
    return `<div class="get">${to({ by }, `SQL${of}`, '', 'report/sql')}${to({ by }, `CSV${of}`, '', 'report.csv')}</div>`;
  };
  return { hasLinks, to, downloads };
}
