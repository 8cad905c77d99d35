import { loadOnce } from '#browser/page/load-once.ts';
import type { MissedEvent } from './show-tooltip.tsx';

/** Events after which the tooltip is not to open any more. */
const ENDS = ['pointerleave', 'pointerdown', 'blur', 'click'];

/**
 * Gives a control a tooltip on hover and focus (specification, section 9). Its code and React load
 * when it is first needed, and then get the event that they missed. The text must also be said
 * elsewhere, because touch screens show no tooltips.
 *
 * @returns a function that sets the text
 */
export function addTooltip(trigger: HTMLElement): (text: string) => void {
  let text = '';
  let missed: MissedEvent | null = null;
  let show = (_: string) => {};
  const listening = new AbortController();
  const { signal } = listening;

  const load = loadOnce(async () => {
    const { makeTooltip } = await import('./show-tooltip.tsx');
    listening.abort();
    show = makeTooltip(trigger, missed);
    show(text);
  });
  const need = (event: Event) => {
    missed ??= { event, at: performance.now() };
    load();
  };
  const onPointerMove = (event: PointerEvent) => {
    if (event.pointerType !== 'touch') need(event);
  };
  const onFocus = (event: FocusEvent) => {
    // A press brings the focus too, but then it is not visible.
    if (trigger.matches(':focus-visible')) need(event);
  };
  const forget = () => {
    missed = null;
  };
  trigger.addEventListener('pointermove', onPointerMove, { signal });
  trigger.addEventListener('focus', onFocus, { signal });
  for (const type of ENDS) trigger.addEventListener(type, forget, { signal });

  return (next) => {
    text = next;
    show(text);
  };
}
