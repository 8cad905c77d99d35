/** Upper bounds in characters. A longer text breaks between its words, and not inside one. */
const MAX_CHARACTERS = {
  /** About a line of the smallest phone. */
  page: 30,
  /**
   * About a line of the answers below the first button on that phone, in Spanish, where their
   * column is narrowest.
   */
  answer: 15,
};

/**
 * Returns words that stay in one line, so that none ends alone. A text above the bound of its place
 * is returned as it is.
 */
export const unbroken = (words: string, place: keyof typeof MAX_CHARACTERS = 'page'): string =>
  words.length > MAX_CHARACTERS[place] ? words : words.replaceAll(' ', '\u00a0');
