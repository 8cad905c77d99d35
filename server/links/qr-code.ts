/** The short link of a code, and its QR code. */
import { correction, generate } from 'lean-qr';
import { toSvgSource } from 'lean-qr/extras/svg';
import type { BuiltSite } from '#contract/built-site.schema.ts';
import { type Language, pathIn } from '#contract/language.ts';
import { LINK_PATH } from './links.ts';

/** Modules of white around the code, which ISO/IEC 18004 asks for. */
const QUIET_ZONE = 4;

export interface Link {
  site: BuiltSite;
  /** As `linkSchema` has it. */
  ref: string;
  /** Of the page that it opens, and of the leaflet. */
  language: Language;
}

export const pathOf = ({ ref, language }: Link): string => pathIn(language, `${LINK_PATH}/${ref}`);

export const urlOf = (link: Link): string => link.site.siteUrl + pathOf(link);

export function qrCode(url: string): string {
  // Level Q: a quarter of the code may be dirty or torn.
  const code = generate(url, { minCorrectionLevel: correction.Q });
  return toSvgSource(code, { on: '#000', off: '#fff', pad: QUIET_ZONE });
}
