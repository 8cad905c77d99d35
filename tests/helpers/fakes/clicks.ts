import { type Click, makeClick } from '#browser/clicks/make-click.ts';
import { newId } from '#browser/clicks/uuid-v7.ts';

/** Makes a click with a new id. @param now its time, in milliseconds since 1970 */
export function clickAt(now: number): Click {
  const id = newId(now);
  const page = {
    ref: null,
    pageUrl: 'https://sma.example/',
    visitId: id,
    userAgent: 'test',
    facts: {},
  };
  return makeClick('hero_cta_click', page, 1, now, id);
}
