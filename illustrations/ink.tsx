/**
 * The style of every drawing: an ink line over a flat fill that is printed a little out of register.
 *
 * Colours are the page's CSS variables, so that a drawing follows light, dark and forced colours everywhere:
 * inline, in a file made by tools/drawings/make-illustrations.ts, or in a scene of the film. Sizes come from the viewBox.
 */
import type { ReactNode } from 'react';

export type Paint =
  | 'marigold'
  | 'plum'
  | 'pine'
  | 'clay'
  | 'sand'
  | 'hill'
  | 'mist'
  | 'card'
  | 'skin'
  | 'skin-deep'
  /** Hair and tyres: dark on every ground. */
  | 'shade'
  /** Highlights on a dark fill. */
  | 'light';

export const paint = (name: Paint) => `var(--art-${name})`;

/** A drawing without words. It is decoration, unless the caller describes it. */
export function Drawing({
  box,
  children,
  ...svg
}: {
  box: string;
  className?: string | undefined;
  /** If present, its parts move in with the page (renderer/css/motion.css). */
  'data-arrive'?: '';
  children: ReactNode;
}) {
  return (
    <svg
      {...svg}
      fill="none"
      stroke="var(--ink)"
      strokeWidth="2.25"
      strokeLinecap="round"
      strokeLinejoin="round"
      overflow="visible"
      viewBox={box}
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

/** A closed shape: the fill first, shifted; the line over it. */
export function Shape({ d, fill, shift = '3 2' }: { d: string; fill: Paint; shift?: string }) {
  return (
    <>
      <path d={d} fill={paint(fill)} stroke="none" transform={`translate(${shift})`} />
      <path d={d} />
    </>
  );
}

/** A fill alone: ground, shade, a patch of light. */
export function Flat({ d, fill }: { d: string; fill: Paint }) {
  return <path d={d} fill={paint(fill)} stroke="none" />;
}

/** An arm, a leg, a tube: one stroke with an outline on both sides. */
export function Limb({ d, fill, width = 14 }: { d: string; fill: Paint; width?: number }) {
  return (
    <>
      <path d={d} strokeWidth={width} />
      <path d={d} stroke={paint(fill)} strokeWidth={width - 4.5} />
    </>
  );
}

/** The signal line: a thread with its segments, which are lane marks and myelin at once. */
export function Signal({
  d,
  size = 13,
  dash = '30 22',
}: {
  d: string;
  size?: number;
  dash?: string;
}) {
  return (
    <>
      <path d={d} />
      <path d={d} strokeWidth={size} strokeDasharray={dash} />
      <path d={d} strokeWidth={size - 4.5} strokeDasharray={dash} stroke={paint('marigold')} />
    </>
  );
}
