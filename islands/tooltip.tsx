import * as RadixTooltip from '@radix-ui/react-tooltip';
import { type ReactElement, startTransition, useState } from 'react';

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

/** A short remark on a control, on hover and focus; Escape closes it. Never the only place of a fact. */
export function Tooltip({ text, children }: { text: string; children: ReactElement }) {
  const [isOpen, setOpen] = useState(false);
  // Not within the press of Tab itself: the ring around the control is seen first.
  const onOpenChange = (next: boolean) => startTransition(() => setOpen(next));
  return (
    <RadixTooltip.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content className="tooltip" sideOffset={OFFSET_PX}>
          {text}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}
