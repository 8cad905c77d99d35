import { site } from 'virtual:site';
import { useEffect, useState } from 'react';
import { deviceStorage } from '#browser/device-storage.ts';
import { hasOptedOut, onOptOutChange, setOptedOut } from '#browser/opt-out.ts';
import { siteStore } from '#browser/site.ts';
import { QuietButton } from '#components/quiet-button.tsx';
import { optOut } from '#words/en/opt-out.ts';
import { Tooltip, TooltipProvider } from './tooltip.tsx';

const WORDS = optOut(site);

/**
 * Switches counting off for this device. A toast reports the result, and the words next to the button keep it.
 * The button and its words appear only once script runs, because the button needs it.
 */
export function OptOut() {
  const [isOff, setOff] = useState<boolean | null>(null);
  useEffect(() => {
    setOff(hasOptedOut(deviceStorage()));
    return onOptOutChange(setOff);
  }, []);
  if (isOff === null) return <p>{WORDS.counted}</p>;

  const toggle = () => {
    const stored = setOptedOut(deviceStorage(), !isOff);
    siteStore.getState().addToast(stored ? (isOff ? WORDS.nowOn : WORDS.nowOff) : COULD_NOT_STORE);
  };
  return (
    <>
      <TooltipProvider>
        <Tooltip text={WORDS.isOn}>
          <QuietButton onClick={toggle}>{isOff ? WORDS.turnOn : WORDS.turnOff}</QuietButton>
        </Tooltip>
      </TooltipProvider>
      <p>{isOff ? WORDS.isOff : WORDS.isOn}</p>
    </>
  );
}

const COULD_NOT_STORE = { ...WORDS.notStored, variant: 'destructive' as const };
