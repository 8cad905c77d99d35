import { fromBuffer } from '@capsizecss/unpack';

/** The numbers of a font that a fallback must match; positive, in em. */
export interface FontMetrics {
  ascent: number;
  descent: number;
  lineGap: number;
  /** Average advance of a letter in English text. */
  width: number;
}

/** @param font TrueType, OpenType or WOFF2 */
export async function readMetrics(font: Buffer): Promise<FontMetrics> {
  const { ascent, descent, lineGap, xWidthAvg, unitsPerEm } = await fromBuffer(font);
  return {
    ascent: ascent / unitsPerEm,
    descent: -descent / unitsPerEm,
    lineGap: lineGap / unitsPerEm,
    width: xWidthAvg / unitsPerEm,
  };
}
