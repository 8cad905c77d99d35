/**
 * Keeps typed text across a reload of the same tab, so that visitors need not type it twice. The draft ends with the
 * tab, or once the form is sent.
 */
import { REGISTER_DEFAULTS, type RegisterFields } from '#contract/register.schema.ts';

const KEY = 'register-draft';

/** @param form the form in the browser: text typed before its script loaded is newer than the draft */
export function loadDraft(form: HTMLFormElement | null): RegisterFields {
  const draft = { ...REGISTER_DEFAULTS, ...readStored(), ...(form && readTyped(form)) };
  return { ...draft, agreedToTerms: Boolean(draft.agreedToTerms) };
}

function readStored(): Partial<RegisterFields> {
  try {
    return validFields(JSON.parse(sessionStorage.getItem(KEY) ?? '{}'));
  } catch {
    return {}; // The browser refuses storage, or it holds something else.
  }
}

/** The fields of the right type. Storage can hold anything, and an object in a text field would break the form. */
function validFields(stored: Record<string, unknown> | null): Partial<RegisterFields> {
  const isValid = ([name, value]: [string, unknown]) => typeof stored?.[name] === typeof value;
  const names = Object.entries(REGISTER_DEFAULTS).filter(isValid);
  return Object.fromEntries(names.map(([name]) => [name, stored?.[name]]));
}

/** The fields that are filled; a ticked box is "on", an empty one is left out. */
function readTyped(form: HTMLFormElement): Record<string, unknown> {
  const fields = [...new FormData(form)].filter(
    ([name, value]) => name in REGISTER_DEFAULTS && value,
  );
  return Object.fromEntries(fields);
}

export function saveDraft(fields: Partial<RegisterFields>): void {
  const { firstName, lastName, email, smaType, agreedToTerms } = fields;
  try {
    const draft = { firstName, lastName, email, smaType, agreedToTerms };
    sessionStorage.setItem(KEY, JSON.stringify(draft));
  } catch {
    // The browser refuses storage. The form works without it.
  }
}

export function clearDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // The browser refuses storage, so there is no draft.
  }
}
