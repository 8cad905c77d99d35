/** Makes the short link of a code, and its QR code. */
import { correction, generate } from 'lean-qr';
import { toPngBuffer } from 'lean-qr/extras/node_export';
import { toSvgSource } from 'lean-qr/extras/svg';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { type Language, pathIn } from '#contract/language.ts';
import { LINK_PATH } from './links.ts';

/** Width of the white margin in modules, as ISO/IEC 18004 demands. */
const QUIET_ZONE = 4;
/** Width of the PNG: 8 cm on paper at 300 dots an inch. */
const PNG_PIXELS = 1000;

export interface Link {
  site: BuiltSite;
  /** The code, as `linkSchema` accepts it. */
  ref: string;
  /** Language of the landing page, and of the leaflet. */
  language: Language;
}

/** Returns the path of a short link, such as `/r/clinic-7`. */
export const shortPathOf = ({ ref, language }: Link): string =>
  pathIn(language, `${LINK_PATH}/${ref}`);

/** Returns the URL of a short link. */
export const shortUrlOf = (link: Link): string => link.site.siteUrl + shortPathOf(link);

/**
 * Makes the modules of a QR code with error correction level Q: a quarter of the code may be dirty
 * or torn.
 */
const generateCode = (url: string) => generate(url, { minCorrectionLevel: correction.Q });

/** Makes a QR code as SVG. */
export const makeQrCodeSvg = (url: string): string =>
  toSvgSource(generateCode(url), { on: '#000', off: '#fff', pad: QUIET_ZONE });

/**
 * Makes a QR code as PNG, for programs that accept no SVG or take an SVG's size as its size on
 * paper. Each module has the same whole number of pixels, and the remaining pixels widen the
 * margin.
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
