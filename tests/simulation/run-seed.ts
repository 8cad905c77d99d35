/** Runs one seed: its world, its steps, and the checks at the end. */
import { time } from './clock.ts';
import { findFaults } from './invariants.ts';
import { calmDown, drawSteps, type Step, take } from './steps.ts';
import { CALM } from './weather.ts';
import { makeWorld } from './world.ts';

/** Steps of a run. */
const STEPS = 120;

export interface Outcome {
  faults: string[];
  figures: Record<string, number>;
}

export const stepsOf = (seed: number): Step[] => drawSteps(seed, STEPS);

/**
 * @param root the folder for the run's files, @param distDir the build
 * @param trace called with each step and its time
 */
export async function runSeed(
  seed: number,
  steps: Step[],
  { root, distDir, trace }: { root: string; distDir: string; trace?: (line: string) => void },
): Promise<Outcome> {
  const world = await makeWorld(seed, root, distDir);
  const begun = time();
  for (const [place, step] of steps.entries()) {
    await take(world, step);
    trace?.(`${String(place + 1).padStart(4)}  ${new Date(time()).toISOString()}  ${step.what}`);
    if (world.book.complaints.length > 0) break;
  }
  if (world.book.complaints.length === 0) await calmDown(world, CALM);
  const isEarly = world.book.complaints.length > 0;
  const faults = isEarly ? world.book.complaints : await findFaults(world);
  const { book, mails, posthog, kills, requests } = world;
  const figures = {
    days: (time() - begun) / 86_400_000,
    clicks: book.pressed.size,
    rows: book.stored.size,
    events: book.events.size,
    views: book.views.size,
    registrations: book.registered.size,
    mails: mails.delivered.size,
    sent: posthog.received.size,
    lines: book.lines.size,
    kills,
    requests,
  };
  await world.close();
  return { faults, figures };
}
