/**
 * A drawing as inline SVG. The first screen uses it: the drawing needs no request, and its colours
 * are the page's CSS variables.
 *
 * @param svg text of a file in components/drawings/
 * @param label alternative text for screen readers. It is not escaped. Undefined: the drawing is
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
