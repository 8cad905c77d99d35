import type { SafeHtml } from '@remix-run/html-template';

/** Pieces of HTML. The `html` template escapes strings among them, and renders null as nothing. */
export type Html = SafeHtml | string | null | Html[];

/**
 * Joins pieces with HTML between them. `Array.join` would return a string, which `html` would
 * escape.
 */
export const joinHtml = (pieces: readonly Html[], between: SafeHtml): Html =>
  pieces.flatMap((piece, i) => (i === 0 ? [piece] : [between, piece]));
