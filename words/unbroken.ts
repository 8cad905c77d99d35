/** Upper bound in characters: about a line of the smallest phone. A longer text breaks between its words, and not inside one. */
const MAX_CHARACTERS = 30;

/** Returns words that stay in one line, so that none ends alone. A text above the bound is returned as it is. */
export const unbroken = (words: string): string =>
  words.length > MAX_CHARACTERS ? words : words.replaceAll(' ', '\u00a0');
