/** Handles SIGHUP from the start of the process, because the signal ends a process without a listener. */

/** @returns a function that sets the handler, and calls it at once if a signal has arrived before */
export function listenForHangUp(): (act: () => void) => void {
  let act: (() => void) | null = null;
  let missed = false;
  process.on('SIGHUP', () => {
    if (act) act();
    else missed = true;
  });
  return (next) => {
    act = next;
    if (missed) next();
  };
}
