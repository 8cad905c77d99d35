import { loadOnce } from '#browser/page/load-once.ts';
import type { EarlyEvents } from './show-tooltip.tsx';

/** Events that cancel a tooltip which has not opened yet. A key may be Escape. */
const CANCELLING_EVENTS = ['pointerleave', 'pointerdown', 'blur', 'click', 'keydown'];

/**
 * Gives a control a tooltip on hover and focus (specification, section 9). Its code, and React with
 * it, load when a tooltip is first needed, and then get the events that they missed. The tooltip's
 * text must also be said elsewhere, because touch screens show no tooltips.
 *
 * @returns a function that sets the text
 */
export function addTooltip(trigger: HTMLElement): (text: string) => void {
  let text = '';
  let setShownText = (_: string) => {};
  const listening = new AbortController();
  const early: EarlyEvents = { pointer: null, opener: null, stop: () => listening.abort() };

  const load = loadOnce(async () => {
    const { showTooltip } = await import('./show-tooltip.tsx');
    setShownText = showTooltip(trigger, early);
    setShownText(text);
  });
  const onOpener = (event: Event) => {
    early.opener ??= { event, at: performance.now() };
    load();
  };
  const onPointerMove = (event: PointerEvent) => {
    // Only the pointer's arrival opens the tooltip: after a press it stays closed until the pointer
    // has left and comes again.
    if (event.pointerType === 'touch' || early.pointer) return;
    early.pointer = event;
    onOpener(event);
  };
  const onPointerLeave = () => {
    early.pointer = null;
  };
  const onFocus = (event: FocusEvent) => {
    // A press brings the focus too, but then it is not visible.
    if (trigger.matches(':focus-visible')) onOpener(event);
  };
  const onCancel = () => {
    early.opener = null;
  };
  const options = { signal: listening.signal };
  trigger.addEventListener('pointermove', onPointerMove, options);
  trigger.addEventListener('pointerleave', onPointerLeave, options);
  trigger.addEventListener('focus', onFocus, options);
  for (const type of CANCELLING_EVENTS) trigger.addEventListener(type, onCancel, options);

  return (next) => {
    text = next;
    setShownText(text);
  };
}
