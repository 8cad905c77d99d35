/**
 * A UUID of version 7 (RFC 9562, section 5.7): 48 bits of milliseconds, then 72 random bits.
 *
 * Our own code instead of a library, because it is part of the page's inline bytes.
 *
 * @param now milliseconds since 1970
 * @param random at least 10 random bytes
 */
export function uuidV7(now: number, random: Uint8Array): string {
  const digits = hex(now, 2 ** 48) + Array.from(random, (byte) => hex(byte, 256)).join('');
  return digits.replace(/(.{8})(.{4}).(...).(...)(.{12}).*/, '$1-$2-7$3-8$4-$5');
}

/** Returns all digits of a number below `bound`, which is a power of 16. */
const hex = (n: number, bound: number) => (n + bound).toString(16).slice(1);

/** Makes a new id with the current time. */
export const newId = (): string => uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(16)));

/** Returns the time when an id was made, in milliseconds since 1970. */
export const timeOfId = (id: string): number =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
