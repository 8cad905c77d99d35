import * as RadixTooltip from '@radix-ui/react-tooltip';
import { type Ref, useImperativeHandle, useLayoutEffect, useState } from 'react';
import { createRoot } from './react-root.ts';

/** Milliseconds from the pointer's arrival to the tooltip, Radix' default. */
const DELAY_MS = 700;

/** What happened to a control before Radix listened to it. */
export interface EarlyEvents {
  /** The event by which the pointer came, while the pointer is on the control. */
  pointer: Event | null;
  /**
   * The event that would have opened the tooltip, unless another has cancelled it since, and its
   * time as of `performance.now()`.
   */
  opener: { event: Event; at: number } | null;
  /** Ends the watch. */
  stop(): void;
}

/**
 * Shows the tooltip of a control that is in the page, whenever it is to be open.
 *
 * @returns a function that sets the text
 */
export function showTooltip(trigger: HTMLElement, early: EarlyEvents): (text: string) => void {
  // The root is not in the page: the tooltip itself is in a portal.
  const root = createRoot(document.createElement('div'));
  return (text) => root.render(<Tooltip text={text} trigger={trigger} early={early} />);
}

/**
 * Milliseconds of the delay that are left, because the load counts as a part of it. Negative if the
 * load took longer.
 */
const restOfDelay = ({ opener }: EarlyEvents): number =>
  opener ? DELAY_MS - (performance.now() - opener.at) : DELAY_MS;

/** Tells Radix what it missed: that the pointer is here, and whether the tooltip is to open. */
function replay(trigger: HTMLElement, early: EarlyEvents) {
  const { pointer, opener } = early;
  if (pointer) trigger.dispatchEvent(pointer);
  if (!opener) trigger.dispatchEvent(new FocusEvent('blur'));
  // At the focus it opens at once. So it does after the delay.
  else if (opener.event !== pointer || restOfDelay(early) <= 0)
    trigger.dispatchEvent(new FocusEvent('focus'));
}

interface Props {
  text: string;
  trigger: HTMLElement;
  early: EarlyEvents;
}

/** The tooltip, with the default delays of Radix (specification, section 9). */
function Tooltip({ text, trigger, early }: Props) {
  const [delay, setDelay] = useState(restOfDelay(early));
  // In the same task as the effect of TriggerProps, so that no event is lost between the two.
  useLayoutEffect(() => {
    early.stop();
    replay(trigger, early);
    setDelay(DELAY_MS);
  }, [trigger, early]);
  return (
    <RadixTooltip.Provider>
      <RadixTooltip.Root delayDuration={delay}>
        <RadixTooltip.Trigger asChild>
          <TriggerProps element={trigger} />
        </RadixTooltip.Trigger>
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

/**
 * Gives Radix's properties of a trigger to an element that is already in the page. Radix would have
 * to create the element itself, and the one in the page has the focus or the pointer.
 */
function TriggerProps({
  element,
  ref,
  ...props
}: {
  element: HTMLElement;
  ref?: Ref<HTMLElement>;
}) {
  useImperativeHandle(ref, () => element, [element]);
  useLayoutEffect(() => {
    const listening = new AbortController();
    for (const [name, value] of Object.entries<unknown>(props)) {
      if (typeof value === 'function') {
        const type = name.replace(/^on/, '').toLowerCase();
        element.addEventListener(type, value as EventListener, { signal: listening.signal });
      } else if (value === undefined) element.removeAttribute(name);
      else element.setAttribute(name, String(value));
    }
    return () => listening.abort();
  });
  return null;
}
