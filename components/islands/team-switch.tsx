import { useState } from 'react';
import { isInternal, setInternal } from '#browser/opt-out.ts';
import { useWords } from '#components/language.tsx';
import { TEAM } from '#words/team.ts';

/**
 * A switch for the team: leaves this browser out of all figures, or counts it again. A link with
 * `?internal=1` shows the switch and does not press it, because a stranger can send visitors such a
 * link.
 */
export function TeamSwitch() {
  const words = useWords(TEAM);
  const [isLeftOut, setIsLeftOut] = useState(() => isInternal() === true);
  const [isRefused, setIsRefused] = useState(false);
  const toggle = () => {
    const isStored = setInternal(!isLeftOut);
    setIsRefused(!isStored);
    if (isStored) setIsLeftOut(!isLeftOut);
  };
  const state = isLeftOut ? words.isLeftOut : words.isCounted;
  return (
    <>
      <p role="status">{isRefused ? words.notStored : state}</p>
      <button type="button" className="toggle-button" onClick={toggle}>
        {isLeftOut ? words.countAgain : words.leaveOut}
      </button>
    </>
  );
}
