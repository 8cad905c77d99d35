import type { DrawingName } from './drawings/drawing-names.ts';

/** Drawings as files, not inline: they are below the fold and would cost the first round trip. */
const URLS = import.meta.glob<string>('./drawings/files/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
});
const TEXTS = import.meta.glob<string>('./drawings/files/*.svg', {
  eager: true,
  query: '?raw',
  import: 'default',
});

/**
 * A drawing next to a section. The words around it say everything it shows. An image cannot use the
 * page's CSS variables, so each has a file for the light scheme and one for the dark.
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
