import { type Click, makeClick } from '#browser/clicks/make-click.ts';
import { uuidV7 } from '#browser/clicks/uuid-v7.ts';

/** Makes a click of the given time with a new id. */
export function clickAt(now: number, seed = 0): Click {
  const random = new Uint8Array(16);
  new DataView(random.buffer).setUint32(12, seed);
  const id = uuidV7(now, random);
  const page = { ref: null, visitId: id, userAgent: 'test' };
  return makeClick('hero_cta_click', page, 'https://sma.example/', 1, now, id);
}
