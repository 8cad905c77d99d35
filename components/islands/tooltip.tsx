import * as RadixTooltip from '@radix-ui/react-tooltip';
import type { ReactElement } from 'react';

/** Radix' defaults, as the specification's section 9 lists them. */
const DELAY_MS = 700;
const SKIP_DELAY_MS = 300;
const OFFSET_PX = 4;

/** Shares the skip delay: once per island, around all of its tooltips. */
export function TooltipProvider({ children }: { children: ReactElement }) {
  return (
    <RadixTooltip.Provider delayDuration={DELAY_MS} skipDelayDuration={SKIP_DELAY_MS}>
      {children}
    </RadixTooltip.Provider>
  );
}

/** A short remark on a control, on hover and focus; Escape closes it. Never the only source of a fact. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <RadixTooltip.Root>
      <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content
          className="z-3 max-w-80 border-fine border-paper bg-ink px-3 py-2 text-small/snug text-paper"
          // Below, so that it covers no control in the footer.
          side="bottom"
          sideOffset={OFFSET_PX}
          data-tooltip=""
        >
          {text}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}
