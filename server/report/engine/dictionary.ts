/** Numbers the different texts of a field, so that a record has a code instead of the text. */

export class Dictionary {
  readonly #codes = new Map<string, number>();
  readonly #rawCodes = new Map<string, number>();
  readonly texts: string[] = [];

  codeOf(text: string): number {
    let code = this.#codes.get(text);
    if (code === undefined) {
      code = this.texts.length;
      this.texts.push(text);
      this.#codes.set(text, code);
    }
    return code;
  }

  /**
   * The same for UTF-8 that was read as Latin-1, because that costs less than decoding each line.
   *
   * @param decode turns the decoded bytes into the text; the bytes themselves by default
   */
  codeOfRaw(raw: string, decode: (text: string) => string = (text) => text): number {
    let code = this.#rawCodes.get(raw);
    if (code === undefined) {
      code = this.codeOf(decode(Buffer.from(raw, 'latin1').toString('utf8')));
      this.#rawCodes.set(raw, code);
    }
    return code;
  }
}

/** The fields with a dictionary. */
export const TEXT_FIELDS = ['event', 'ref', 'campaign', 'domain'] as const;
export type TextField = (typeof TEXT_FIELDS)[number];
export type Texts = Record<TextField, string[]>;

export interface Merged {
  /** All texts in alphabetical order, so that codes do not depend on the order of reading. */
  texts: Texts;
  /** For each list: the common code of each of its codes. */
  maps: Record<TextField, Uint32Array>[];
}

export function mergeTexts(lists: readonly Texts[]): Merged {
  const texts = Object.fromEntries(
    TEXT_FIELDS.map((field) => [
      field,
      [...new Set(lists.flatMap((list) => list[field]))].sort(byCodeUnits),
    ]),
  ) as Texts;
  const codes = Object.fromEntries(
    TEXT_FIELDS.map((field) => [field, new Map(texts[field].map((text, code) => [text, code]))]),
  ) as Record<TextField, Map<string, number>>;
  const maps = lists.map(
    (list) =>
      Object.fromEntries(
        TEXT_FIELDS.map((field) => [
          field,
          Uint32Array.from(list[field], (text) => codes[field].get(text) as number),
        ]),
      ) as Record<TextField, Uint32Array>,
  );
  return { texts, maps };
}

/** Does not depend on the language of the machine. */
export const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
