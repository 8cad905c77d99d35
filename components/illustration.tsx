import { ILLUSTRATIONS, type IllustrationName } from '#illustrations/illustrations.tsx';

/** Made by tools/drawings/make-illustrations.ts. Files, not inline: they are below the fold and would cost the first round trip. */
const FILES = import.meta.glob<string>('../illustrations/files/*.svg', {
  eager: true,
  query: '?url',
  import: 'default',
});

/**
 * For a drawing whose thread comes from the signal line at its left edge: it begins below the line. In wide windows the line is
 * on its right, so it fills the column up to the line, mirrored.
 */
export const JOINS_LINE =
  '-z-2 max-w-none -ml-[calc(var(--rail)-var(--x))] w-[min(26rem,100%+var(--rail)-var(--x))] lg:ml-0 lg:w-[calc(100%+var(--x))] lg:[scale:-1_1]';

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
