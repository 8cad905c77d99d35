import { useSyncExternalStore } from 'react';
import { hasOptedOut, onOptOutChange, setOptedOut } from '#browser/opt-out.ts';
import { pageStore } from '#browser/page-store.ts';
import { useWords } from '#components/language.tsx';
import { ISLANDS } from '#words/islands.ts';
import { preloadToasts } from './load-toasts.ts';
import { Tooltip } from './tooltip.tsx';

/**
 * Switches counting off for this device. A toast reports the result, and the words next to the
 * button keep it. The button and its words appear only once script runs, because the button needs
 * it.
 */
export function OptOut() {
  const words = useWords(ISLANDS)['opt-out'];
  const isOff = useSyncExternalStore(onOptOutChange, hasOptedOut, () => null);
  if (isOff === null) return <p>{words.counted}</p>;

  const state = isOff ? words.isOff : words.isOn;
  const toggle = () => {
    const stored = setOptedOut(!isOff);
    const said = isOff ? words.nowOn : words.nowOff;
    pageStore.getState().addToast(stored ? said : { ...words.notStored, variant: 'destructive' });
  };
  return (
    <>
      {/* Above the button, because the tooltip opens below it. */}
      <p>{state}</p>
      <Tooltip text={isOff ? words.effect.off : words.effect.on}>
        <button
          type="button"
          className="min-h-11 rounded-control border-fine border-line bg-paper px-4 py-1.5 hover:border-ink"
          onClick={toggle}
          onPointerEnter={preloadToasts}
          onFocus={preloadToasts}
        >
          {isOff ? words.turnOn : words.turnOff}
        </button>
      </Tooltip>
    </>
  );
}
