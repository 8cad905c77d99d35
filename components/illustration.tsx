import type { DrawingName } from './drawings/drawing-names.ts';

/**
 * URLs of the drawings, by their paths. They are not inline, because they are below the fold, and
 * would delay the first paint.
 */
const URLS = import.meta.glob<string>('./drawings/files/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
});
/** SVG text of the drawings, by their paths, from which `Illustration` reads width and height. */
const TEXTS = import.meta.glob<string>('./drawings/files/*.svg', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/**
 * A drawing beside the text of a section. It is decoration, so it has no alternative text. An SVG
 * in an `img` cannot use the page's CSS variables. So each drawing has a file for the light and one
 * for the dark colour scheme.
 */
export function Illustration({ name, className }: { name: DrawingName; className?: string }) {
  const light = `./drawings/files/${name}-light.svg`;
  const dark = `./drawings/files/${name}-dark.svg`;
  const [, width, height] = /viewBox="\S+ \S+ (\S+) (\S+)"/.exec(TEXTS[light] ?? '') ?? [];
  if (!height || !URLS[dark]) throw new Error(`components/drawings/files has no "${name}"`);
  return (
    <picture>
      <source media="(prefers-color-scheme: dark)" srcSet={URLS[dark]} />
      <img
        className={className}
        src={URLS[light]}
        alt=""
        data-reveal=""
        width={width}
        height={height}
        loading="lazy"
        decoding="async"
      />
    </picture>
  );
}
