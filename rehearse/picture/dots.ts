/** Turns a night into the dots of the picture. */
import type { Journey } from '../night/journey.ts';
import type { Night } from '../night/play-night.ts';

/** A wait from which a click counts as delayed, in seconds. */
const DELAY_S = 1;
/** Lower bound of the scale in seconds, because it is logarithmic. */
export const LEAST_S = 0.003;

export const LANES = ['disk', 'index', 'posthog', 'mail'] as const;
export type Lane = (typeof LANES)[number];
export type Kind = 'atOnce' | 'inBrowser' | 'inLedger' | 'byBrowser' | 'byServer' | 'mail';

export interface Dot {
  lane: Lane;
  kind: Kind;
  /** When the click was made, in seconds since the night began. */
  x: number;
  /** How long it took to arrive, in seconds. */
  y: number;
}

/** One dot per click and lane in which it has arrived, and one per mail. */
export function dotsOf({ journeys, mails, from }: Pick<Night, 'journeys' | 'mails' | 'from'>) {
  return [
    ...journeys.flatMap((journey) => dotsOfClick(journey, from)),
    ...mails.map(({ registeredAt, at }) => dot('mail', 'mail', registeredAt, at, from)),
  ];
}

function dotsOfClick({ madeAt, onDiskAt, indexedAt, atPosthog }: Journey, from: number): Dot[] {
  const dots: Dot[] = [];
  const isLate = (at: number, since: number) => (at - since) / 1000 > DELAY_S;
  if (onDiskAt !== null) {
    const kind = isLate(onDiskAt, madeAt) ? 'inBrowser' : 'atOnce';
    dots.push(dot('disk', kind, madeAt, onDiskAt, from));
    if (indexedAt !== null) {
      const waited = isLate(indexedAt, onDiskAt) ? 'inLedger' : kind;
      dots.push(dot('index', waited, madeAt, indexedAt, from));
    }
  }
  const [event] = atPosthog;
  if (event) {
    const kind = event.by === 'browser' ? 'byBrowser' : 'byServer';
    dots.push(dot('posthog', kind, madeAt, event.at, from));
  }
  return dots;
}

const dot = (lane: Lane, kind: Kind, made: number, at: number, from: number): Dot => ({
  lane,
  kind,
  x: (made - from) / 1000,
  y: Math.max(LEAST_S, (at - made) / 1000),
});
