/**
 * A UUID of version 7 (RFC 9562, section 5.7): 48 bits of milliseconds, then random bits.
 *
 * Our own code instead of a library, because it is part of the page's inline bytes.
 *
 * @param now milliseconds since 1970
 * @param random 16 random bytes; overwritten
 */
export function uuidV7(now: number, random: Uint8Array): string {
  for (let i = 0; i < 6; i++) random[i] = now / 2 ** (8 * (5 - i));
  random[6] = ((random[6] as number) & 0x0f) | 0x70;
  random[8] = ((random[8] as number) & 0x3f) | 0x80;
  const hex = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Makes a new id with the current time. */
export const newId = (): string => uuidV7(Date.now(), crypto.getRandomValues(new Uint8Array(16)));

/** Returns the time when an id was made, in milliseconds since 1970. */
export const timeOfId = (id: string): number =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
