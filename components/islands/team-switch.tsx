import { useState } from 'react';
import { isInternal, setInternal } from '#browser/opt-out.ts';
import { useWords } from '#components/language.tsx';
import { TEAM } from '#words/team.ts';

/**
 * Leaves this browser out of all figures, or counts it again, for the team. A link with
 * `?internal=1` only shows the switch, because a stranger can lead visitors to such a link.
 */
export function TeamSwitch() {
  const words = useWords(TEAM);
  const [isOut, setIsOut] = useState(() => isInternal() === true);
  const [isRefused, setIsRefused] = useState(false);
  const toggle = () => {
    const isStored = setInternal(!isOut);
    setIsRefused(!isStored);
    if (isStored) setIsOut(!isOut);
  };
  const state = isOut ? words.isLeftOut : words.isCounted;
  return (
    <>
      <p role="status">{isRefused ? words.notStored : state}</p>
      <button
        type="button"
        className="min-h-11 rounded-control border-fine border-line bg-paper px-4 py-1.5 hover:border-ink"
        onClick={toggle}
      >
        {isOut ? words.countAgain : words.leaveOut}
      </button>
    </>
  );
}
