/**
 * Keeps what the visitor has typed into the registration form across a reload, in sessionStorage.
 * The draft is deleted with the tab, or when the form has been sent.
 */
import { tryStorage } from '#browser/try-storage.ts';
import { readCheckboxes } from '#contract/register.schema.ts';

const KEY = 'register-draft';
const openSessionStorage = () => sessionStorage;

/** Stores the form's fields, without the robot trap. */
export function saveDraft(form: HTMLFormElement): void {
  const typed = new FormData(form);
  typed.delete('message');
  const draft = JSON.stringify(readCheckboxes(Object.fromEntries(typed)));
  tryStorage((storage) => storage.setItem(KEY, draft), openSessionStorage);
}

export function clearDraft(): void {
  tryStorage((storage) => storage.removeItem(KEY), openSessionStorage);
}

/** Fills in the draft. It does not replace text that was typed before this script loaded. */
export function restoreDraft(form: HTMLFormElement | null): void {
  const readDraft = (storage: Storage) => JSON.parse(storage.getItem(KEY) ?? '{}');
  const draft = tryStorage(readDraft, openSessionStorage);
  for (const [name, value] of Object.entries(draft ?? {})) {
    const control = form?.elements.namedItem(name) as HTMLInputElement | RadioNodeList | null;
    // The storage can hold anything, so the type of each value is checked.
    if (value === true && control && 'checked' in control) control.checked = true;
    else if (typeof value === 'string' && control?.value === '') control.value = value;
  }
}
