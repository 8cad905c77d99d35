/**
 * Makes a UUID of version 7 (RFC 9562, section 5.7): 48 bits of milliseconds, then random ones. The
 * random digits are decimal, because that takes fewer bytes: 18 of them have 59 bits for each
 * millisecond.
 *
 * Our own code instead of a library, because it is part of the page's inline bytes.
 *
 * @param now milliseconds since 1970
 * @param random whole numbers with at least 18 digits together
 */
export const newId = (
  now = Date.now(),
  random: Uint8Array | Uint32Array = crypto.getRandomValues(new Uint32Array(4)),
): string =>
  ((now + 2 ** 48).toString(16).slice(1) + random.join('')).replace(
    /(.{8})(.{4})(...)(...)(.{12}).*/,
    '$1-$2-7$3-8$4-$5',
  );

/** Returns the time when an id was made, in milliseconds since 1970. */
export const timeOfId = (id: string): number =>
  Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
