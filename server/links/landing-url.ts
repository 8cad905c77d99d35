import { type Language, pathIn } from '#contract/language.ts';
import { MAX_REFERRER } from '#contract/limits.ts';
import { CAMPAIGN_PARAMETERS, CAMPAIGN_VALUE } from '#contract/visit.ts';

/** Path of short links: `/r/clinic-7`, and `/es/r/clinic-7` for the Spanish page. */
export const LINK_PATH = '/r/';

/**
 * Makes `/?ref=clinic-7`, or `/es/?ref=clinic-7`, with the campaign parameters that the site reads. Every code leads to the page,
 * known or not. A code cannot change the host, because it is always a query value.
 */
export function landingUrl(language: Language, code: string, query: string): string {
  const given = new URLSearchParams(query);
  const params = new URLSearchParams();
  if (code !== '') params.set('ref', code);
  for (const name of CAMPAIGN_PARAMETERS) {
    const value = given.get(name);
    if (value !== null && CAMPAIGN_VALUE.test(value)) params.set(name, value);
  }
  const search = params.toString();
  return `${pathIn(language, '/')}${search && `?${search}`}`;
}

/** Upper bound for the characters that are read of a path. The punctuation after a code is a few of them. */
const MAX_TYPED = 4 * MAX_REFERRER;
/** A character that a sentence may have after a code. */
const PUNCTUATION = /[\s/.,;:!?)]/;

/** Removes what a message or a hand adds to a code, and cuts it as the page would. @param path the decoded part after `/r/` */
export function cleanCode(path: string): string {
  const typed = path
    .slice(0, MAX_TYPED)
    .replace(/\p{Cc}/gu, '')
    .trim();
  // A pattern with `+$` would try each character of a long run.
  let end = typed.length;
  while (end > 0 && PUNCTUATION.test(typed.charAt(end - 1))) end -= 1;
  return typed.slice(0, Math.min(end, MAX_REFERRER)).toWellFormed();
}
