/**
 * Keeps typed text across a reload of the same tab, so that visitors need not type it twice. The
 * draft ends with the tab, or once the form is sent.
 */
import { tryStorage } from '#browser/try-storage.ts';
import { readCheckboxes } from '#contract/register.schema.ts';

const KEY = 'register-draft';
const ofTab = () => sessionStorage;

export function saveDraft(form: HTMLFormElement): void {
  const typed = new FormData(form);
  typed.delete('message');
  const draft = JSON.stringify(readCheckboxes(Object.fromEntries(typed)));
  tryStorage((storage) => storage.setItem(KEY, draft), ofTab);
}

export function clearDraft(): void {
  tryStorage((storage) => storage.removeItem(KEY), ofTab);
}

/** Fills the draft in. Text typed before the form's script loaded is newer, so it stays. */
export function restoreDraft(form: HTMLFormElement | null): void {
  const draft = tryStorage((storage) => JSON.parse(storage.getItem(KEY) ?? '{}'), ofTab);
  for (const [name, value] of Object.entries(draft ?? {})) {
    const control = form?.elements.namedItem(name) as HTMLInputElement | RadioNodeList | null;
    // Storage can hold anything.
    if (value === true && control && 'checked' in control) control.checked = true;
    else if (typeof value === 'string' && control?.value === '') control.value = value;
  }
}
