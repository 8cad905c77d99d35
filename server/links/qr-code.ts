/** The short link of a code, and its QR code. */
import { correction, generate } from 'lean-qr';
import { toPngBuffer } from 'lean-qr/extras/node_export';
import { toSvgSource } from 'lean-qr/extras/svg';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { type Language, pathIn } from '#contract/language.ts';
import { LINK_PATH } from './links.ts';

/** Modules of white around the code, which ISO/IEC 18004 asks for. */
const QUIET_ZONE = 4;
/** 8 cm on paper at 300 dots an inch. */
const PNG_PIXELS = 1000;

export interface Link {
  site: BuiltSite;
  /** As `linkSchema` has it. */
  ref: string;
  /** Of the page that it opens, and of the leaflet. */
  language: Language;
}

export const shortPathOf = ({ ref, language }: Link): string =>
  pathIn(language, `${LINK_PATH}/${ref}`);

export const shortUrlOf = (link: Link): string => link.site.siteUrl + shortPathOf(link);

/** Level Q: a quarter of the code may be dirty or torn. */
const generateCode = (url: string) => generate(url, { minCorrectionLevel: correction.Q });

export const makeQrCodeSvg = (url: string): string =>
  toSvgSource(generateCode(url), { on: '#000', off: '#fff', pad: QUIET_ZONE });

/**
 * Makes the same code for programs that take no SVG, or that take an SVG's size for its size on
 * paper. Each module has the same number of pixels; those that are left over widen the white edge.
 */
export function makeQrCodePng(url: string): Uint8Array {
  const code = generateCode(url);
  const scale = Math.floor(PNG_PIXELS / (code.size + 2 * QUIET_ZONE));
  const edge = Math.floor((PNG_PIXELS - code.size * scale) / 2);
  const moduleAt = (pixel: number) => Math.floor((pixel - edge) / scale);
  const pixels = {
    ...code,
    size: PNG_PIXELS,
    get: (x: number, y: number) => code.get(moduleAt(x), moduleAt(y)),
  };
  return toPngBuffer(pixels, { on: [0, 0, 0], off: [255, 255, 255], pad: 0 });
}
