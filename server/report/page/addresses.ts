/**
 * Links of the report. Each keeps the whole question, so that an address can be sent to a
 * colleague.
 */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Question } from '../question.ts';

/** Parameters that differ from the present address; null: without it. */
type Changes = Record<string, string | null>;

/** A text, which is escaped, or HTML. */
export type Words = string | SafeHtml;

/** Makes the parameters of a period that begins and ends on chosen days. */
export const dates = (from: string, to: string): Changes => ({ days: null, from, to });

/** Returns the query of the present question with some parameters changed. */
export function queryOf({ parameters }: Question, changes: Changes): string {
  const set = Object.entries({ ...parameters, ...changes }).filter(([, value]) => value);
  return `?${String(new URLSearchParams(set as [string, string][])).replaceAll('%2F', '/')}`;
}

export type Links = ReturnType<typeof createLinks>;

/** Creates the functions that make links. @param hasLinks false: they return only the words */
export function createLinks(question: Question, hasLinks: boolean) {
  const to = (
    changes: Changes,
    words: Words,
    attributes: SafeHtml | null = null,
    path = '',
  ): SafeHtml => {
    if (!hasLinks) return html`${words}`;
    return html`<a href="${path}${queryOf(question, changes)}"${attributes}>${words}</a>`;
  };
  /** Returns links to the query of a table, and to its rows. */
  const downloads = (by: string, name: string): SafeHtml | null => {
    if (!hasLinks) return null;
    const of = html`<span class="vh"> of ${name}</span>`;
    const sql = to({ by }, html`SQL${of}`, null, 'report/sql');
    const csv = to({ by }, html`CSV${of}`, null, 'report.csv');
    return html`<div class="get">${sql}${csv}</div>`;
  };
  return { hasLinks, to, downloads };
}
