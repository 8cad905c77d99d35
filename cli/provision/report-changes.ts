/** Prints each change as soon as it is made, so that after a failure the operator knows what was done. */
import type { OnDone } from './apply-plan.ts';

/** @throws the error of `act`, with the number of changes made before it */
export async function reportChanges(
  print: (text: string) => void,
  act: (onDone: OnDone) => Promise<void>,
): Promise<void> {
  let changes = 0;
  const onDone = (what: string) => {
    if (changes === 0) print('\n');
    changes += 1;
    print(`  ${what}\n`);
  };
  try {
    await act(onDone);
  } catch (error) {
    const before =
      changes === 0 ? 'Nothing was changed.' : `Made before that: ${changes}, as above.`;
    throw new Error(`${(error as Error).message}\n${before}`, { cause: error });
  }
  print(changes === 0 ? '\nNothing to do.\n' : `\nDone: ${changes} changes.\n`);
}
