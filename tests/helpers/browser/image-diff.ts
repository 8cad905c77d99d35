/** Compares two screenshots of the same area by the change of contrast, because that is what people see. */
import type { Locator, Page } from '@playwright/test';
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

/** Share of a box's edge that differs from the ground around it. */
export async function edgeOf(page: Page, box: Locator): Promise<number> {
  const AROUND = 2;
  const BORDER = 4;
  await box.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await box.boundingBox()) ?? { x: 0, y: 0, width: 1, height: 1 };
  const clip = {
    x: Math.max(0, x - AROUND),
    y: Math.max(0, y - AROUND),
    width: width + 2 * AROUND,
    height: height + 2 * AROUND,
  };
  return edgeShare(await page.screenshot({ clip }), AROUND + BORDER);
}

/**
 * The share of an image's four edges that differs from its corner by at least 3:1, within a few pixels: 1 for a box with a
 * complete border, 0 for text on the page's background.
 */
function edgeShare(picture: Buffer, depth: number): number {
  const png = PNG.sync.read(picture);
  const { width, height } = png;
  const ground = pixel(png, 0);
  const standsOut = (x: number, y: number) =>
    contrast(pixel(png, (y * width + x) * 4), ground) >= VISIBLE_RATIO;
  const steps = Array.from({ length: depth }, (_, step) => step);
  let seen = 0;
  for (let x = 0; x < width; x++) {
    if (steps.some((step) => standsOut(x, step))) seen += 1;
    if (steps.some((step) => standsOut(x, height - 1 - step))) seen += 1;
  }
  for (let y = 0; y < height; y++) {
    if (steps.some((step) => standsOut(step, y))) seen += 1;
    if (steps.some((step) => standsOut(width - 1 - step, y))) seen += 1;
  }
  return seen / (2 * (width + height));
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
