/** QR codes as pictures: black on white, with the quiet zone that ISO/IEC 18004 asks for. */
import { correction, generate } from 'lean-qr';
import { toPngBuffer } from 'lean-qr/extras/node_export';
import { toSvgSource } from 'lean-qr/extras/svg';

/** Modules of white around the code. */
const QUIET_ZONE = 4;
/** Lower bound for the PNG's width, so that it is sharp at 8 cm and 300 dpi. */
const PNG_PIXELS = 1000;

export interface QrCode {
  svg: string;
  png: Uint8Array;
}

/** A quarter of the code may be dirty or torn (level Q). @param text at most 1,600 characters */
export function makeQrCode(text: string): QrCode {
  const code = generate(text, { minCorrectionLevel: correction.Q });
  const modules = code.size + 2 * QUIET_ZONE;
  return {
    svg: toSvgSource(code, { on: '#000', off: '#fff', pad: QUIET_ZONE }),
    png: toPngBuffer(code, {
      on: [0, 0, 0],
      off: [255, 255, 255],
      pad: QUIET_ZONE,
      scale: Math.ceil(PNG_PIXELS / modules),
    }),
  };
}
