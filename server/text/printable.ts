/** Texts that strangers chose (refs, campaigns, agents, events), safe for terminals, tables and drawings. */

/** Control and format characters (with marks of direction), line separators, and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Replaces each character that could move a cursor, turn a text round or stay invisible. */
export const printable = (text: string): string => text.replace(UNPRINTABLE, '\ufffd');

/** The same for a text of several lines, which keeps its lines. */
export const printableLines = (text: string): string => text.split('\n').map(printable).join('\n');
