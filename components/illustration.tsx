import { ILLUSTRATIONS, type IllustrationName } from '#illustrations/illustrations.tsx';

/** Made by tools/drawings/make-illustrations.ts. Files, not inline: they are below the fold and would cost the first round trip. */
const FILES = import.meta.glob<string>('../illustrations/files/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** A drawing next to a section. The words around it say everything it shows. */
export function Illustration({ name, className }: { name: IllustrationName; className?: string }) {
  const { width, height } = ILLUSTRATIONS[name];
  return (
    <picture>
      <source media="(prefers-color-scheme: dark)" srcSet={fileOf(name, 'dark')} />
      <img
        className={className}
        src={fileOf(name, 'light')}
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

function fileOf(name: IllustrationName, scheme: 'light' | 'dark'): string {
  const url = FILES[`../illustrations/files/${name}-${scheme}.svg`];
  if (!url)
    throw new Error(
      `illustrations/files has no drawing "${name}-${scheme}"; run tools/drawings/make-illustrations.ts`,
    );
  return url;
}
