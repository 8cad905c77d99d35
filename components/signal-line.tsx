import type { ReactNode } from 'react';

/**
 * SVG paths of the signal line, the decorative line that runs down the page in pieces. A run goes
 * straight down beside the text, a bend crosses to another column, a hook ends at the call to
 * action. Each piece is stretched to its box; signal-line.css keeps the width of its stroke.
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
   * Classes that set the piece's variables: `--up` and `--down`, how far a run reaches above and
   * below its block; `--to`, where a bend ends.
   */
  className?: string | undefined;
}

/** One piece of the signal line. */
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
      {/* The dashes on the line: a wide one in ink, and a narrower one in colour on it. */}
      <g>
        <path d={d} />
        <path d={d} />
      </g>
    </svg>
  );
}

/** A block with a run of the signal line at its left. The runs of adjacent blocks make one line. */
export function Lined(props: { line?: string; className?: string; children: ReactNode }) {
  return (
    <div className={`relative -ml-rail pl-rail ${props.className ?? ''}`.trim()}>
      <SignalLine shape="run" className={props.line} />
      {props.children}
    </div>
  );
}
