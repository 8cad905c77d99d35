import { useEffect, useRef } from 'react';
import { MIN_FILL_MS } from '#contract/register.schema.ts';

/**
 * Measures how long the form has been open. Delays a submission that is implausibly fast, instead of rejecting it,
 * because visitors with a password manager, or after a reload, are that quick.
 *
 * @returns a function that resolves to the fill time in milliseconds, once the server would accept it
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
