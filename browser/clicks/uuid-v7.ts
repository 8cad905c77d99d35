/**
 * Makes a UUID of version 7 (RFC 9562, section 5.7): 48 bits of milliseconds, then 18 random
 * digits. The digits are decimal instead of hexadecimal, because that takes less code; 18 of them
 * are 59 random bits for each millisecond. No library is used, because each page has this code
 * inline.
 *
 * @param now milliseconds since 1970
 * @param random whole numbers that have at least 18 decimal digits together
 */
export const newId = (
  now = Date.now(),
  random: Uint8Array | Uint32Array = crypto.getRandomValues(new Uint32Array(4)),
): string =>
  ((now + 2 ** 48).toString(16).slice(1) + random.join('')).replace(
    /(.{8})(.{4})(...)(...)(.{12}).*/,
    '$1-$2-7$3-8$4-$5',
  );

/** Returns the time that a UUID v7 contains, in milliseconds since 1970. */
export const timeOfId = (id: string): number =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
