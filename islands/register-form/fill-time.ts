import { useEffect, useRef } from 'react';
import { MIN_FILL_MS } from '#contract/register.schema.ts';

/**
 * How long the form has been there. Who is quicker than a person can be waits a moment and is sent all the same: with a
 * password manager, or after a reload, people are that quick.
 *
 * @returns a function that resolves to milliseconds, as the server wants them, not before they are enough
 */
export function useFillTime(): () => Promise<number> {
  const shownAt = useRef(0);
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);
  return async () => {
    const filledMs = performance.now() - shownAt.current;
    if (filledMs >= MIN_FILL_MS) return Math.round(filledMs);
    await new Promise((resolve) => setTimeout(resolve, MIN_FILL_MS - filledMs));
    return MIN_FILL_MS;
  };
}
