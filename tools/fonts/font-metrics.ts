/** The metrics of a TrueType file that a fallback font must match, all in em. */

/** Frequency of each character in English text, spaces included, per thousand. */
const FREQUENCY: Record<string, number> = {
  ' ': 182,
  e: 102,
  t: 75,
  a: 65,
  o: 62,
  i: 57,
  n: 57,
  s: 53,
  h: 50,
  r: 50,
  d: 33,
  l: 33,
  u: 23,
  c: 22,
  m: 20,
  f: 20,
  w: 17,
  g: 16,
  p: 15,
  y: 14,
  b: 13,
  v: 8,
  k: 6,
  x: 1,
  j: 1,
  q: 1,
  z: 1,
};

/** @returns ascent, descent and line gap as CSS expects them: positive, in em */
export function readMetrics(sfnt: Buffer): { ascent: number; descent: number; lineGap: number } {
  const em = unitsPerEm(sfnt);
  const hhea = table(sfnt, 'hhea');
  return {
    ascent: hhea.readInt16BE(4) / em,
    descent: -hhea.readInt16BE(6) / em,
    lineGap: hhea.readInt16BE(8) / em,
  };
}

/** @returns the mean advance of a character of English text, in em */
export function averageWidth(sfnt: Buffer): number {
  const glyphOf = readCharacterMap(table(sfnt, 'cmap'));
  const metricCount = table(sfnt, 'hhea').readUInt16BE(34);
  const hmtx = table(sfnt, 'hmtx');
  let sum = 0;
  let weight = 0;
  for (const [character, frequency] of Object.entries(FREQUENCY)) {
    const glyph = Math.min(glyphOf(character.codePointAt(0) ?? 0), metricCount - 1);
    sum += hmtx.readUInt16BE(glyph * 4) * frequency;
    weight += frequency;
  }
  return sum / weight / unitsPerEm(sfnt);
}

function unitsPerEm(sfnt: Buffer): number {
  return table(sfnt, 'head').readUInt16BE(18);
}

function table(sfnt: Buffer, tag: string): Buffer {
  const count = sfnt.readUInt16BE(4);
  for (let entry = 12; entry < 12 + count * 16; entry += 16) {
    if (sfnt.toString('latin1', entry, entry + 4) !== tag) continue;
    const offset = sfnt.readUInt32BE(entry + 8);
    return sfnt.subarray(offset, offset + sfnt.readUInt32BE(entry + 12));
  }
  throw new Error(`The font has no table "${tag}"`);
}

/** Reads the format-4 subtable, which has every character of the basic multilingual plane. */
function readCharacterMap(cmap: Buffer): (codePoint: number) => number {
  const start = findFormat4(cmap);
  const doubled = cmap.readUInt16BE(start + 6);
  const at = (block: number, segment: number) => start + 14 + block * doubled + segment;
  return (codePoint) => {
    for (let segment = 0; segment < doubled; segment += 2) {
      if (cmap.readUInt16BE(at(0, segment)) < codePoint) continue;
      const first = cmap.readUInt16BE(at(1, segment) + 2);
      if (first > codePoint) return 0;
      const delta = cmap.readUInt16BE(at(2, segment) + 2);
      const rangeAt = at(3, segment) + 2;
      const range = cmap.readUInt16BE(rangeAt);
      if (range === 0) return (codePoint + delta) & 0xffff;
      const glyph = cmap.readUInt16BE(rangeAt + range + (codePoint - first) * 2);
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}

function findFormat4(cmap: Buffer): number {
  const count = cmap.readUInt16BE(2);
  for (let i = 0; i < count; i++) {
    const offset = cmap.readUInt32BE(4 + i * 8 + 4);
    if (cmap.readUInt16BE(offset) === 4) return offset;
  }
  throw new Error('The font has no character map of format 4');
}
