import { deviceStorage } from '#browser/device-storage.ts';
import { hasOptedOut, onOptOutChange, setOptedOut } from '#browser/opt-out.ts';
import type { OptOutButtonWords } from '#components/help/tools.tsx';

/**
 * Shows the opt-out's button (components/help/tools.tsx). The words next to it say the state. They are a live region, so that a
 * screen reader says each change.
 */
export function showOptOut(place: HTMLElement | null): void {
  const button = place?.querySelector('button');
  const state = place?.querySelector('p');
  if (!place || !button || !state) return;
  const words: OptOutButtonWords = JSON.parse(place.dataset.optOut ?? '');
  const turnOff = button.textContent;
  const isOff = () => hasOptedOut(deviceStorage());
  const show = (off: boolean) => {
    button.textContent = off ? words.turnOn : turnOff;
    state.textContent = off ? words.isOff : words.isOn;
  };
  button.onclick = () => {
    if (setOptedOut(deviceStorage(), !isOff())) return;
    state.textContent = words.notStored;
  };
  show(isOff());
  onOptOutChange(show);
  button.hidden = false;
}
