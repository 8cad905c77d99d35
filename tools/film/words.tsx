import { paint } from '#illustrations/ink.tsx';
import { round } from './sketch.tsx';

interface Props {
  lines: readonly string[];
  opacity: number;
  /** The number of a step, in a segment of the signal line. */
  step?: number;
  ink?: string;
  size?: number;
}

/** The large words of a scene, at the film's left margin. */
export function Words({ lines, opacity, step, ink = 'var(--ink)', size = 54 }: Props) {
  if (opacity <= 0) return null;
  const top = step ? 122 : 98;
  return (
    <g opacity={round(opacity)} stroke="none" fill={ink} fontSize={size}>
      {step && <StepMark step={step} />}
      {lines.map((line, i) => (
        <text key={line} x="56" y={top + i * size * 1.06} letterSpacing="-.5">
          {line}
        </text>
      ))}
    </g>
  );
}

function StepMark({ step }: { step: number }) {
  const ink = 'var(--ink)';
  return (
    <>
      <rect x="58" y="38" width="58" height="34" rx="17" fill={paint('marigold')} stroke={ink} />
      <text x="87" y="64" fontSize="29" textAnchor="middle">
        {step}
      </text>
    </>
  );
}
