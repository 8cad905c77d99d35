import type { ReactNode } from 'react';

/**
 * The line that runs down the page. A run goes straight down next to the text, a bend crosses to
 * another place, a hook ends in the button. All are stretched to the room they get; signal-line.css
 * keeps their strokes even.
 */
const PATHS = {
  run: 'M50 0C90 12 20 30 50 50S80 86 50 100',
  'bend right': 'M0 0C0 70 100 30 100 100',
  'bend left': 'M100 0C100 70 0 30 0 100',
  hook: 'M0 0C0 70 30 100 100 100',
};

interface Props {
  shape: keyof typeof PATHS;
  /**
   * How far a run reaches above and below its block (`--up`, `--down`); where a bend leads
   * (`--to`).
   */
  className?: string | undefined;
}

export function SignalLine({ shape, className = '' }: Props) {
  const d = PATHS[shape];
  return (
    <svg
      className={`line ${shape} ${className}`.trim()}
      viewBox="0 0 100 100"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={d} />
      {/* The marks: an ink edge, and the segment on it. */}
      <g>
        <path d={d} />
        <path d={d} />
      </g>
    </svg>
  );
}

/** A block with the line next to it; blocks that follow each other make one line. */
export function Lined(props: { line?: string; className?: string; children: ReactNode }) {
  return (
    <div className={`relative -ml-rail pl-rail ${props.className ?? ''}`.trim()}>
      <SignalLine shape="run" className={props.line} />
      {props.children}
    </div>
  );
}
