/** Returns words that stay in one line, so that none ends alone. Text too large for a line still breaks (`overflow-wrap`). */
export const unbroken = (words: string): string => words.replaceAll(' ', '\u00a0');
