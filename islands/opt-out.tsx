import { site } from 'virtual:site';
import { useEffect, useState } from 'react';
import { deviceStorage } from '#browser/device-storage.ts';
import { hasOptedOut, onOptOutChange, setOptedOut } from '#browser/opt-out.ts';
import { siteStore } from '#browser/site.ts';
import { countingSummary } from '#components/counting-words.ts';
import { QuietButton } from '#components/quiet-button.tsx';
import { Tooltip, TooltipProvider } from './tooltip.tsx';

const WHAT_WE_COUNT = countingSummary(site);
const WHAT_IT_DOES = `${WHAT_WE_COUNT} You can turn that off.`;

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
  if (isOff === null) return <p>{WHAT_WE_COUNT}</p>;

  const toggle = () => {
    const stored = setOptedOut(deviceStorage(), !isOff);
    siteStore.getState().addToast(stored ? said(!isOff) : COULD_NOT_STORE);
  };
  return (
    <>
      <TooltipProvider>
        <Tooltip text={WHAT_IT_DOES}>
          <QuietButton onClick={toggle}>
            {isOff ? 'Turn on counting on this device' : 'Turn off counting on this device'}
          </QuietButton>
        </Tooltip>
      </TooltipProvider>
      <p>{isOff ? 'Counting is off on this device.' : WHAT_IT_DOES}</p>
    </>
  );
}

const said = (isOff: boolean) => ({
  title: isOff ? 'Counting is off' : 'Counting is on',
  description: isOff ? 'From now on, this device sends no counts.' : `Thank you. ${WHAT_WE_COUNT}`,
});

const COULD_NOT_STORE = {
  title: 'Your browser did not keep this choice',
  description: 'It blocks storage for this site, so counting stays as it was.',
  variant: 'destructive' as const,
};
