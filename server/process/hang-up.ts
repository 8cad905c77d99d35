/** SIGHUP from the process's first moment on: the signal ends a process that has no listener for it. */

/** @returns sets what a signal does; a signal that came before does it then */
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
