/** Runs one seed: makes its world, takes its steps, and checks the invariants. */
import { time } from './clock.ts';
import { findFaults } from './invariants.ts';
import { calmDown, drawSteps, type Step, takeStep } from './steps.ts';
import { CALM } from './weather.ts';
import { makeWorld } from './world.ts';

/** Number of steps of a run. */
const STEPS = 120;

export interface Outcome {
  /** A sentence for each fault; none if the seed passes. */
  faults: string[];
  /** How much has happened, for the summary. */
  figures: Record<string, number>;
}

/** Draws the steps of a seed. */
export const stepsOf = (seed: number): Step[] => drawSteps(seed, STEPS);

/**
 * Runs the steps in a new world. Ends early at a step after which there is a fault.
 *
 * @param seed draws the world
 * @param steps those of the seed, or a shorter list of them
 * @param options `root`: folder for the run's files; `distDir`: folder of the build; `trace`:
 * called with a line for each step
 */
export async function runSeed(
  seed: number,
  steps: Step[],
  { root, distDir, trace }: { root: string; distDir: string; trace?: (line: string) => void },
): Promise<Outcome> {
  const world = await makeWorld(seed, root, distDir);
  const begun = time();
  for (const [place, step] of steps.entries()) {
    await takeStep(world, step);
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
