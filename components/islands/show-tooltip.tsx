import * as RadixTooltip from '@radix-ui/react-tooltip';
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useState } from 'react';
import { createRoot } from './react-root.ts';

/** Milliseconds from the pointer's arrival to the tooltip, Radix' default. */
const DELAY_MS = 700;

/** An event that would have opened the tooltip, and its time, `performance.now()`. */
export interface MissedEvent {
  event: Event;
  at: number;
}

/**
 * Makes the tooltip of a control that is in the page.
 *
 * @param missed the event that happened before this code loaded, and opens the tooltip now. Null
 *   if the pointer or the focus has left the control since
 * @returns a function that shows this text in the tooltip, whenever it is open
 */
export function makeTooltip(
  trigger: HTMLElement,
  missed: MissedEvent | null,
): (text: string) => void {
  // The root is not in the page: the tooltip itself is in a portal.
  const root = createRoot(document.createElement('div'));
  return (text) => root.render(<Tooltip text={text} trigger={trigger} missed={missed} />);
}

/** The loading of this code counts as a part of the delay. */
const restOfDelay = ({ at }: MissedEvent): number => DELAY_MS - (performance.now() - at);

interface Props {
  text: string;
  trigger: HTMLElement;
  missed: MissedEvent | null;
}

/** The tooltip, with the default delays of Radix (specification, section 9). */
function Tooltip({ text, trigger, missed }: Props) {
  const [delay, setDelay] = useState(missed ? Math.max(0, restOfDelay(missed)) : DELAY_MS);
  useEffect(() => {
    if (!missed) return;
    // Without a rest of the delay it opens at once, as at the focus.
    trigger.dispatchEvent(restOfDelay(missed) > 0 ? missed.event : new FocusEvent('focus'));
    setDelay(DELAY_MS);
  }, [trigger, missed]);
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
 * Gives Radix's properties of a trigger to an element that is already in the page. Radix would wrap
 * the element, and React would then make it anew: it would lose the focus and the pointer.
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
