/**
 * A drawing inside the document, because it is in the first screen and its colours are the page's
 * CSS variables.
 *
 * @param svg text of a file in components/drawings/
 * @param label what the drawing shows, for screen readers, without signs of HTML; absent: it is
 * decoration
 */
export function InlineDrawing({ svg, label }: { svg: string; label?: string }) {
  const role = label ? ` role="img" aria-label="${label}"` : ' aria-hidden="true"';
  return (
    <span
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the text of a committed file, and words of ours.
      dangerouslySetInnerHTML={{ __html: svg.replace(/ xmlns="[^"]*"/, role) }}
    />
  );
}
