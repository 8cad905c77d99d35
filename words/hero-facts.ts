/** The facts below the first button. */

/** A label, the answer, and the English path of the page that says more. */
type HeroFact = [label: string, answer: string, page: string];

/** Leaves out a fact that is not set. */
export const setFacts = (facts: [HeroFact[0], string | null, HeroFact[2]][]): HeroFact[] =>
  facts.filter((fact): fact is HeroFact => fact[1] !== null);

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Words that stay in one line, so that none ends alone. Text too large for a line still breaks (`overflow-wrap`). */
export const unbroken = (words: string): string => words.replaceAll(' ', '\u00a0');
