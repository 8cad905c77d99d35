/** Compares screenshots by the contrast between them, because small differences are not visible. */
import { PNG } from 'pngjs';

/** Lower bound of the contrast of a visible change between two states (WCAG 1.4.11, 2.4.13). */
const VISIBLE_RATIO = 3;

/**
 * Compares two PNG files of the same size.
 *
 * @returns the number of pixels whose contrast between the two is at least 3:1
 */
export function visiblyChanged(before: Buffer, after: Buffer): number {
  const one = PNG.sync.read(before);
  const other = PNG.sync.read(after);
  if (one.data.length !== other.data.length) throw new Error('The pictures differ in size');
  let changed = 0;
  for (let at = 0; at < one.data.length; at += 4) {
    if (one.data.readUInt32BE(at) === other.data.readUInt32BE(at)) continue;
    const colourIn = ({ data }: PNG) => [...data.subarray(at, at + 3)];
    if (contrast(colourIn(one), colourIn(other)) >= VISIBLE_RATIO) changed += 1;
  }
  return changed;
}

/**
 * Returns the contrast ratio of two colours, as WCAG 2 defines it. Runs in the page, too.
 *
 * @param colours red, green and blue, from 0 to 255
 */
export function contrast(...colours: [number[], number[]]): number {
  const [a = 0, b = 0] = colours.map((channels) => {
    const [red = 0, green = 0, blue = 0] = channels.slice(0, 3).map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  });
  return Math.max(a / b, b / a);
}
