import * as RadixTooltip from '@radix-ui/react-tooltip';
import type { ReactElement } from 'react';

/**
 * A short remark on a control, on hover and focus, with Radix' delays, which the specification's
 * section 9 lists. Never the only source of a fact.
 */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <RadixTooltip.Provider>
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content
            className="z-3 max-w-80 border-fine border-paper bg-ink px-3 py-2 text-small/snug text-paper"
            // Below, so that it covers no control in the footer.
            side="bottom"
            sideOffset={4}
            data-tooltip=""
          >
            {text}
          </RadixTooltip.Content>
        </RadixTooltip.Portal>
      </RadixTooltip.Root>
    </RadixTooltip.Provider>
  );
}
