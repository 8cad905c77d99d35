/** Most runs of the simulation for one list; each takes up to a second. */
const MOST_RUNS = 150;

/**
 * Shortens a list of steps that fails (delta debugging): leaves out ever smaller pieces, as long as
 * the other steps still fail.
 *
 * @param fails runs the steps, and returns whether they fail
 * @returns a list that still fails
 */
export async function shrink<Step>(
  steps: readonly Step[],
  fails: (steps: Step[]) => Promise<boolean>,
): Promise<Step[]> {
  let kept = [...steps];
  let runs = 0;
  for (let size = Math.ceil(kept.length / 2); runs < MOST_RUNS; ) {
    let isShorter = false;
    for (let at = 0; at < kept.length && runs < MOST_RUNS; ) {
      const shorter = kept.toSpliced(at, size);
      runs += 1;
      if (await fails(shorter)) {
        kept = shorter;
        isShorter = true;
      } else at += size;
    }
    if (size === 1 && !isShorter) break;
    if (!isShorter || size > kept.length) size = Math.max(1, Math.floor(size / 2));
  }
  return kept;
}
