/**
 * The weather of a world: the probability of each kind of fault, for one request, transaction, log
 * line, batch or mail.
 */
import { random } from './random.ts';

export type Weather = typeof CALM;

/** The weather without faults. */
export const CALM = {
  lostRequest: 0,
  lostAnswer: 0,
  strangeAnswer: 0,
  silent: 0,
  databaseBefore: 0,
  databaseAfter: 0,
  databaseSlow: 0,
  killAfterCommit: 0,
  fullDisk: 0,
  posthog: 0,
  mail: 0,
};

/** Draws a new weather. */
export function drawWeather(): Weather {
  const draw = () => random.pick([0, 0, 0.1, 0.5]);
  return {
    lostRequest: draw(),
    lostAnswer: draw(),
    strangeAnswer: draw(),
    silent: draw() / 5,
    databaseBefore: draw() / 2,
    databaseAfter: draw() / 2,
    databaseSlow: draw(),
    killAfterCommit: draw() / 10,
    fullDisk: draw() / 2,
    posthog: draw(),
    mail: draw(),
  };
}
