import type { SafeHtml } from '@remix-run/html-template';

/** Pieces of a page. `html` escapes each string among them, and shows nothing for null. */
export type Html = SafeHtml | string | null | Html[];

/** Puts HTML between pieces. `Array.join` would make a string of them, which `html` escapes. */
export const joinHtml = (pieces: readonly Html[], between: SafeHtml): Html =>
  pieces.flatMap((piece, i) => (i === 0 ? [piece] : [between, piece]));
