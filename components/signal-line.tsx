/**
 * The line that runs down the page. A run goes straight down beside the text, a bend crosses to another place;
 * both are stretched to the room they get, and line.css keeps their strokes even.
 */
const RUN = 'M5 0C9 12 2 30 5 50S8 86 5 100';
const BENDS = { right: 'M0 0C0 70 100 30 100 100', left: 'M100 0C100 70 0 30 0 100' };

export function SignalRun({ className = '' }: { className?: string }) {
  return <Strokes className={`run ${className}`} box="0 0 10 100" d={RUN} />;
}

export function SignalBend({ to, className = '' }: { to: keyof typeof BENDS; className?: string }) {
  return <Strokes className={`bend ${className}`} box="0 0 100 100" d={BENDS[to]} />;
}

function Strokes({ className, box, d }: { className: string; box: string; d: string }) {
  return (
    <svg
      className={`line ${className}`.trim()}
      viewBox={box}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={d} />
      <path d={d} />
      <path d={d} />
    </svg>
  );
}
