/**
 * Keeps typed text across a reload of the same tab, so that visitors need not type it twice. The draft ends with the
 * tab, or once the form is sent.
 */
import { readFormFields } from '#contract/register.schema.ts';

const KEY = 'register-draft';

export function saveDraft(form: HTMLFormElement): void {
  const typed = new FormData(form);
  typed.delete('message');
  tryStorage((storage) => storage.setItem(KEY, JSON.stringify(readFormFields(typed))));
}

export function clearDraft(): void {
  tryStorage((storage) => storage.removeItem(KEY));
}

/** Fills the draft in. Text typed before the form's script loaded is newer, so it stays. */
export function restoreDraft(form: HTMLFormElement | null): void {
  const draft = tryStorage((storage) => JSON.parse(storage.getItem(KEY) ?? '{}'));
  for (const [name, value] of Object.entries(draft ?? {})) {
    const control = form?.elements.namedItem(name) as HTMLInputElement | RadioNodeList | null;
    // Storage can hold anything.
    if (value === true && control && 'checked' in control) control.checked = true;
    else if (typeof value === 'string' && control?.value === '') control.value = value;
  }
}

/** Returns nothing if the browser refuses storage, or if it holds something else. The form works without it. */
function tryStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
