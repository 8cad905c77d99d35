/** Compares two screenshots of the same area by the change of contrast, because that is what people see. */
import { PNG } from 'pngjs';

export type Rgb = readonly [number, number, number];

/** Lower bound for a visible change between two states (WCAG 1.4.11, 2.4.13). */
const VISIBLE_RATIO = 3;

/** @returns the number of pixels that differ by at least 3:1 */
export function visiblyChanged(before: Buffer, after: Buffer): number {
  const one = PNG.sync.read(before);
  const other = PNG.sync.read(after);
  if (one.width !== other.width || one.height !== other.height) {
    throw new Error('The pictures differ in size');
  }
  let changed = 0;
  for (let at = 0; at < one.data.length; at += 4) {
    if (contrast(pixel(one, at), pixel(other, at)) >= VISIBLE_RATIO) changed += 1;
  }
  return changed;
}

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * The share of a box's four edges that differs by at least 3:1 from the ground around the box, within a few pixels: 1 for a
 * complete border, 0 for text on the page's background.
 */
export function edgeShare(picture: PNG, box: Box): number {
  const AROUND = 2;
  const BORDER = 4;
  const [left, top] = [Math.floor(box.x) - AROUND, Math.floor(box.y) - AROUND];
  const [width, height] = [Math.ceil(box.width) + 2 * AROUND, Math.ceil(box.height) + 2 * AROUND];
  const at = (x: number, y: number) => pixel(picture, ((top + y) * picture.width + left + x) * 4);
  const ground = at(0, 0);
  const isEdge = (x: number, y: number) => contrast(at(x, y), ground) >= VISIBLE_RATIO;
  const depths = Array.from({ length: AROUND + BORDER }, (_, depth) => depth);
  const range = (length: number) => Array.from({ length }, (_, i) => i);
  const seen = [
    ...range(width).map((x) => depths.some((depth) => isEdge(x, depth))),
    ...range(width).map((x) => depths.some((depth) => isEdge(x, height - 1 - depth))),
    ...range(height).map((y) => depths.some((depth) => isEdge(depth, y))),
    ...range(height).map((y) => depths.some((depth) => isEdge(width - 1 - depth, y))),
  ];
  return seen.filter(Boolean).length / seen.length;
}

function pixel({ data }: PNG, at: number): Rgb {
  return [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
}

export function contrast(one: Rgb, other: Rgb): number {
  const a = luminance(one) + 0.05;
  const b = luminance(other) + 0.05;
  return a > b ? a / b : b / a;
}

function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
