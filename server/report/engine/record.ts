/**
 * A click as 18 words of 32 bits, so that millions of them can wait in temporary files and be compared without objects.
 * Texts are codes of a dictionary.
 */

export const RECORD_WORDS = 18;

/** Position of each field, in words. Fields of several words name the first one. */
export const AT = {
  /** UUID, 4 words. */
  id: 0,
  /** UUID, 4 words; zeros: unknown. */
  visit: 4,
  /** Milliseconds since 1970, 2 words: the low one, then the high one. */
  received: 8,
  /** Byte of the line in its file (unpacked): the low 32 bits. */
  offset: 10,
  /** High 16 bits of the offset, then the file's number. */
  file: 11,
  /** Milliseconds from the click to its successful sending, by the browser's clock. */
  delay: 12,
  ref: 13,
  campaign: 14,
  domain: 15,
  /** Event (16 bits), then the number of the click in its visit (16 bits, 0: unknown). */
  event: 16,
  /** `FLAG` bits, then screen and via (8 bits each). */
  flags: 17,
} as const;

export const FLAG = {
  /** The server marked a robot when it received the click. */
  robot: 1,
  /** The present list of robots recognises the user agent. */
  listed: 2,
  private: 4,
  visit: 8,
  mobile: 16,
  desktop: 32,
} as const;

export const SCREEN_SHIFT = 8;
export const VIA_SHIFT = 16;
const TWO_32 = 2 ** 32;
export const MAX_DELAY_MS = TWO_32 - 1;

export const receivedOf = (words: Uint32Array, at: number): number =>
  (words[at + AT.received] as number) + (words[at + AT.received + 1] as number) * TWO_32;

export function setReceived(words: Uint32Array, at: number, ms: number): void {
  words[at + AT.received] = ms % TWO_32;
  words[at + AT.received + 1] = Math.floor(ms / TWO_32);
}

export const fileOf = (words: Uint32Array, at: number): number =>
  (words[at + AT.file] as number) >>> 16;

export const offsetOf = (words: Uint32Array, at: number): number =>
  (words[at + AT.offset] as number) + ((words[at + AT.file] as number) & 0xffff) * TWO_32;

export function setPlace(words: Uint32Array, at: number, file: number, offset: number): void {
  words[at + AT.offset] = offset % TWO_32;
  words[at + AT.file] = Math.floor(offset / TWO_32) + file * 0x10000;
}

/** Codes of one byte. A value that is not on the list gets the last code. */
export const SCREENS = ['', 'small', 'medium', 'large', 'other'];
export const VIAS = ['', 'fetch', 'beacon', 'ping', 'other'];
export const DEVICES = ['', 'mobile', 'desktop'];

export function smallCode(list: readonly string[], value: string | undefined): number {
  const code = list.indexOf(value ?? '');
  return code < 0 ? list.length - 1 : code;
}

/** Copies the 32 hexadecimal digits of a UUID into 4 words. */
export function setUuid(words: Uint32Array, at: number, uuid: string): void {
  const digits = uuid.replaceAll('-', '');
  for (let i = 0; i < 4; i += 1)
    words[at + i] = Number.parseInt(digits.slice(i * 8, i * 8 + 8), 16);
}
