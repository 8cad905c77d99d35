/**
 * A drawing inside the document, because it is in the first screen and its colours are the page's CSS variables. It is decoration.
 *
 * @param svg text of a file in components/drawings/
 */
export const InlineDrawing = ({ svg }: { svg: string }) => (
  <span
    aria-hidden="true"
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the text of a committed file.
    dangerouslySetInnerHTML={{ __html: svg.replace(/ xmlns="[^"]*"/, '') }}
  />
);
