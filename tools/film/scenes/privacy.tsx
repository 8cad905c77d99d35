/** Scene 7: the thread leads to a private door. Like the page's privacy section, it is a green band with light lines. */
import { Signal } from '#illustrations/ink.tsx';
import { PrivacyDrawing } from '#illustrations/scenes-middle.tsx';
import { ease } from '../ease.ts';
import { round, Sketch } from '../sketch.tsx';

const LIGHT_LINES = { '--ink': 'var(--on-band)' } as Record<string, string>;

const THREAD = 'M-10 352C110 352 190 340 256 284S376 202.4 435.6 172.4';

export function Privacy({ at, opacity }: { at: number; opacity: number }) {
  if (opacity <= 0) return null;
  const thread = ease(at, 0.4, 1.2);
  return (
    <g opacity={round(opacity)}>
      <path d="M0 0H800V450H0Z" fill="var(--band)" stroke="none" />
      <g style={LIGHT_LINES} stroke="var(--on-band)">
        <path
          d={THREAD}
          pathLength={1}
          strokeDasharray="1 1"
          strokeDashoffset={round(1 - thread)}
        />
        <g opacity={round(ease(at, 1.4, 0.8))}>
          <Signal d={THREAD} />
        </g>
        <g transform="translate(458 38) scale(1.12)">
          <Sketch done={ease(at, 0.6, 2.8)}>
            <PrivacyDrawing />
          </Sketch>
        </g>
      </g>
    </g>
  );
}
