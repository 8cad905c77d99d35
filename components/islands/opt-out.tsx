import { useSyncExternalStore } from 'react';
import { hasOptedOut, onOptOutChange, setOptedOut } from '#browser/opt-out.ts';
import { pageStore } from '#browser/page-store.ts';
import { useWords } from '#components/language.tsx';
import { ISLANDS } from '#words/islands.ts';
import { preloadToasts } from './load-toasts.ts';
import { Tooltip } from './tooltip.tsx';

/**
 * The footer's switch, with which a visitor opts out of counting on this device. A toast and the
 * sentence above the button say whether the device is counted. The prerendered HTML has no button,
 * because the button needs script.
 */
export function OptOut() {
  const words = useWords(ISLANDS)['opt-out'];
  const isOff = useSyncExternalStore(onOptOutChange, hasOptedOut, () => null);
  if (isOff === null) return <p>{words.counted}</p>;

  const state = isOff ? words.isOff : words.isOn;
  const toggle = () => {
    const isStored = setOptedOut(!isOff);
    const success = isOff ? words.nowOn : words.nowOff;
    const failure = { ...words.notStored, variant: 'destructive' } as const;
    pageStore.getState().addToast(isStored ? success : failure);
  };
  return (
    <>
      {/* The sentence is above the button, because the button's tooltip opens below. */}
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
