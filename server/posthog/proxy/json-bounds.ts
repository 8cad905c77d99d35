/**
 * Estimates the work of parsing a JSON text from its bytes. In UTF-8, no other character contains the bytes of a bracket,
 * comma or quote.
 */
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

export interface JsonBounds {
  /** Depth of nested objects and lists. */
  depth: number;
  /** Number of values. Empty objects and lists make it inexact. */
  values: number;
}

/** Takes 0.5 ms for 256 KB. Parsing and validation may take 11 ms. */
export function isWithin({ depth, values }: JsonBounds, json: Buffer): boolean {
  let open = 0;
  let seen = 0;
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i];
    if (byte === QUOTE) i = endOfText(json, i);
    else if (byte === COMMA) seen += 1;
    else if (byte === LIST_END || byte === OBJECT_END) open -= 1;
    else if (byte === LIST || byte === OBJECT) {
      open += 1;
      seen += 1;
    }
    if (open > depth || seen > values) return false;
  }
  return true;
}

/** @returns the position of the closing quote, or the end */
function endOfText(json: Buffer, start: number): number {
  let i = start + 1;
  while (i < json.length && json[i] !== QUOTE) i += json[i] === BACKSLASH ? 2 : 1;
  return i;
}
