import * as RadixTooltip from '@radix-ui/react-tooltip';
import type { ReactElement } from 'react';

/**
 * A tooltip on hover and focus, with the default delays of Radix (specification, section 9). Its
 * text must also be said elsewhere, because touch screens show no tooltips.
 */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  return (
    <RadixTooltip.Provider>
      <RadixTooltip.Root>
        <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
        <RadixTooltip.Portal>
          <RadixTooltip.Content
            className="z-3 max-w-80 border-fine border-paper bg-ink px-3 py-2 text-small/snug text-paper"
            // It opens below the control, where the footer has no other control to cover.
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
