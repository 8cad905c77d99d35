/** The text of a file in components/drawings/, whose colours are the page's CSS variables. */
interface Props {
  svg: string;
  className?: string;
  /** If present, its parts move in with the page (renderer/css/motion.css). */
  'data-arrive'?: '';
}

/** A drawing inside the document, because it is in the first screen. It is decoration. */
export function InlineDrawing({ svg, ...attributes }: Props) {
  const [, root = '', content = ''] =
    /^<svg xmlns="[^"]*" ([^>]*)>(.*)<\/svg>\s*$/s.exec(svg) ?? [];
  return (
    <svg
      {...attributes}
      {...reactAttributes(root)}
      aria-hidden="true"
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the text of a committed file.
      dangerouslySetInnerHTML={{ __html: content }}
    />
  );
}

const reactAttributes = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name.replace(/-./, ([, letter = '']) => letter.toUpperCase()),
      value,
    ]),
  );
