/**
 * The width and height of each drawing in components/drawings/files. An image cannot use the page's CSS variables, so each has a
 * file for the light scheme and one for the dark.
 */
const SIZES = {
  problem: [440, 380],
  connect: [260, 190],
  research: [320, 210],
  watch: [440, 250],
  benefits: [440, 300],
  privacy: [400, 300],
  closing: [760, 360],
  together: [260, 200],
  records: [260, 200],
  mount: [260, 200],
  study: [260, 200],
  choice: [260, 200],
  key: [260, 200],
  phone: [260, 200],
  stop: [260, 200],
  door: [260, 200],
  clinic: [260, 200],
  letter: [260, 200],
} as const;

export type IllustrationName = keyof typeof SIZES;

/** Files, not inline: they are below the fold and would cost the first round trip. */
const FILES = import.meta.glob<string>('./drawings/files/*.svg', {
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
  const [width, height] = SIZES[name];
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
  const url = FILES[`./drawings/files/${name}-${scheme}.svg`];
  if (!url) throw new Error(`components/drawings/files has no drawing "${name}-${scheme}"`);
  return url;
}
