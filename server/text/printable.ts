/** Texts that strangers chose (refs, campaigns, agents, events), safe for terminals, tables and drawings. */

/** Control and format characters (with marks of direction), line separators, and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

export const isPrintable = (text: string): boolean => text.search(UNPRINTABLE) < 0;

/** Replaces each character that could move a cursor, turn a text round or stay invisible. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\ufffd');

/** The same for a text of several lines, which keeps its lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');

/** Escapes these characters in a line of JSON, which keeps its meaning. */
export const printableJson = (json: string): string =>
  json.replace(UNPRINTABLE, (character) => character.split('').map(escaped).join(''));

/** Returns the value as JSON that is safe to print. */
export const toPrintableJson = (value: unknown): string => printableJson(JSON.stringify(value));

const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
