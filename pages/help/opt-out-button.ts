import { deviceStorage } from '#browser/device-storage.ts';
import { hasOptedOut, onOptOutChange, setOptedOut } from '#browser/opt-out.ts';
import type { OptOutWords } from '#words/en/opt-out.ts';
import { addButton } from './add-button.ts';

/**
 * Adds the opt-out's button. The words next to it (components/help/tools.tsx) say the state. They are a live region, so that a
 * screen reader says each change.
 */
export function addOptOut(words: OptOutWords): void {
  const state = document.querySelector('#opt-out p');
  if (!state) return;
  const isOff = () => hasOptedOut(deviceStorage());
  const button = addButton(state, '', () => {
    if (setOptedOut(deviceStorage(), !isOff())) return;
    state.textContent = Object.values(words.notStored).join('. ');
  });
  const show = (off: boolean) => {
    button.textContent = off ? words.turnOn : words.turnOff;
    state.textContent = off ? words.isOff : words.isOn;
  };
  show(isOff());
  onOptOutChange(show);
}
