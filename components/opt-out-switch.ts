import { hasOptedOut, onOptOutChange, setOptedOut } from '#browser/opt-out.ts';
import { pageLanguage } from '#browser/page-language.ts';
import { pageStore } from '#browser/page-store.ts';
import { ISLANDS } from '#words/islands.ts';
import { addTooltip } from './islands/add-tooltip.ts';
import { preloadToasts, startToasts } from './islands/toasts.ts';

/**
 * Shows in the footer whether this device is counted, and a switch with which a visitor opts out of
 * counting on it. A toast confirms each press. The prerendered HTML has no switch, because it needs
 * script.
 *
 * @param element `#opt-out` of pages/index/footer.tsx, which has room for both
 */
export function showOptOutSwitch(element: HTMLElement): void {
  const words = ISLANDS[pageLanguage()]['opt-out'];
  const state = document.createElement('p');
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'toggle-button';
  const setTooltip = addTooltip(button);
  startToasts();

  /** What the sentence and the button say now. A press does what the button says. */
  let isOff = false;
  const update = () => {
    isOff = hasOptedOut();
    state.textContent = isOff ? words.isOff : words.isOn;
    button.textContent = isOff ? words.turnOn : words.turnOff;
    setTooltip(isOff ? words.effect.off : words.effect.on);
  };
  const toggle = () => {
    const success = isOff ? words.nowOn : words.nowOff;
    const isStored = setOptedOut(!isOff);
    const failure = { ...words.notStored, variant: 'destructive' } as const;
    pageStore.getState().addToast(isStored ? success : failure);
  };
  onOptOutChange(update);
  button.addEventListener('click', toggle);
  button.addEventListener('pointerenter', preloadToasts);
  button.addEventListener('focus', preloadToasts);

  update();
  // The sentence is above the button, because the button's tooltip opens below.
  element.replaceChildren(state, button);
  element.dataset.ready = '';
}
